// Brand is the name and the picture of the program. It links to the query page.
export const Brand = () => (
  <a class="brand" href="/query" aria-label="pingmill">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f5c63" />
      <g fill="none" stroke="#fff" stroke-width="2.8" stroke-linecap="round">
        <path d="M7 20.5h18M7 25.5h11" />
        <path d="M11.8 14.5a5.2 5.2 0 0 1 8.4 0M8 11a10 10 0 0 1 16 0" stroke="#f2b84b" />
      </g>
    </svg>
    <span>pingmill</span>
  </a>
);
