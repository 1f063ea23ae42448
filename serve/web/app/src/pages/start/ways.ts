// The commands and settings with which pings are sent to an edge. Each works when it is pasted.

// local reports whether an address means the machine of the browser.
export const local = (url: string): boolean => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(url);

// uuid is a random UUID; crypto.randomUUID is missing on pages without TLS.
export function uuid(): string {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6]! & 0x0f) | 0x40;
  b[8] = (b[8]! & 0x3f) | 0x80;
  return [...b].map((v, i) => ([4, 6, 8, 10].includes(i) ? '-' : '') + v.toString(16).padStart(2, '0')).join('');
}

// curl is a command that sends a valid new-profile ping with this document id.
export function curl(edge: string, document: string, client: string, now: Date): string {
  const build = { version: '58.0', platformVersion: '58.0', buildId: '20180118215408', xpcomAbi: 'x86_64-gcc3' };
  const ping = {
    type: 'new-profile',
    version: 4,
    id: document,
    clientId: client,
    creationDate: now.toISOString(),
    application: { ...build, name: 'Firefox', vendor: 'Mozilla', channel: 'release', architecture: 'x86-64' },
    environment: {
      build: {
        ...build,
        applicationId: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}',
        applicationName: 'Firefox',
        vendor: 'Mozilla',
        architecture: 'x86-64',
      },
      partner: {},
      profile: { creationDate: Math.floor(now.getTime() / 86_400_000) },
      settings: { locale: 'en-US', telemetryEnabled: true },
      system: { os: { name: 'Linux', version: '4.15.0', locale: 'en-US' } },
    },
    payload: { reason: 'startup' },
  };
  return `curl -i '${edge}/submit/telemetry/${document}/new-profile/Firefox/58.0/release/20180118215408' \\
  --data '${JSON.stringify(ping)}'`;
}

// preferences is a user.js with which a Firefox sends its pings to the edge.
export function preferences(edge: string): string {
  const port = new URL(edge).port || '80';
  return [
    `user_pref("toolkit.telemetry.server", "${edge}"); // legacy pings`,
    ...(local(edge) && edge.startsWith('http:')
      ? [`user_pref("telemetry.fog.test.localhost_port", ${port}); // pings of Glean`]
      : []),
    'user_pref("toolkit.telemetry.send.overrideOfficialCheck", true);',
    'user_pref("datareporting.healthreport.uploadEnabled", true);',
    'user_pref("datareporting.usage.uploadEnabled", true);',
    'user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);',
  ].join('\n');
}

// endpoints are the lines of Glean's SDKs that name the edge.
export const endpoints = (edge: string): string =>
  [
    `Configuration(server_endpoint="${edge}")  # Python`,
    `Configuration(serverEndpoint = "${edge}")  // Kotlin`,
    `Configuration(serverEndpoint: "${edge}")  // Swift`,
    `Glean.initialize(application, true, { serverEndpoint: "${edge}" })  // JavaScript`,
  ].join('\n');

// quoted is a text as one word of a shell.
export const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const advices: Record<string, string> = {
  uri: 'The path of the request has another form than this page shows. A Glean ping needs a UUID as its document id.',
  json: 'The body is not a JSON object, or a member has another type than the schema of its document type allows.',
  schema: 'The body breaks a rule of Glean pings, which the reason names.',
  duplicate: 'A ping with this document id came before. A second copy makes no second row: send another id.',
};

// advice is what to do about a rejected submission of a class.
export const advice = (class_: string): string =>
  advices[class_] ?? 'The log of the service has more. The submission is kept: pingmill replay decodes it again.';
