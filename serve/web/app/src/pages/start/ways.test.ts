import { expect, test } from 'vitest';
import { curl, local, preferences, quoted, uuid } from './ways';

test('a command is safe to paste: the document is JSON between single quotes', () => {
  const [document, client] = [uuid(), uuid()];
  expect(document).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(document).not.toBe(client);
  const command = curl('http://localhost:8080', document, client, new Date('2026-11-28T00:00:00Z'));
  const body = /--data '([^']*)'$/.exec(command)![1]!;
  expect(JSON.parse(body)).toMatchObject({ id: document, clientId: client, environment: { profile: { creationDate: 20785 } } });
  expect(command).toContain(`'http://localhost:8080/submit/telemetry/${document}/new-profile/`);
});

test('the port of Glean is only for an edge on the same machine', () => {
  expect(preferences('http://localhost:8080')).toContain('"telemetry.fog.test.localhost_port", 8080)');
  expect(preferences('https://edge.example.org')).not.toContain('localhost_port');
  expect(preferences('https://localhost:8443')).not.toContain('localhost_port');
  expect(local('http://localhost.example.org')).toBe(false);
});

test('a folder is one word of a shell', () => {
  expect(quoted('/srv/data')).toBe('/srv/data');
  expect(quoted("/srv/it's $HOME")).toBe("'/srv/it'\\''s $HOME'");
});
