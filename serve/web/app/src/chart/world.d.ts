declare module 'virtual:world' {
  const world: {
    width: number;
    height: number;
    /** Two letters and the path of each country; a country without letters has "". */
    countries: [code: string, path: string][];
    /** Two letters and the place of countries that are too small for a path. */
    points: [code: string, x: number, y: number][];
  };
  export default world;
}
