// A provider of OpenID Connect for tests: PORT is its port on 127.0.0.1, REDIRECT where its client's people are sent back to.
// Who signs in is one of the accounts below, with any password.
import Provider from 'oidc-provider';

const accounts = {
  ann: { email: 'ann@example.org', email_verified: true, preferred_username: 'ann', groups: ['analysts', 'cooks'] },
  boss: { email: 'boss@example.org', email_verified: true, preferred_username: 'boss', groups: ['admins'] },
  bob: { email: 'bob@example.org', email_verified: false, preferred_username: 'bob' },
  eve: { email: 'eve@evil.example', email_verified: true, preferred_username: 'eve' },
  admin: { email: 'root@example.org', email_verified: true, preferred_username: 'admin' },
  nameless: { email: 'nameless@example.org', email_verified: true, preferred_username: 'a\nb' },
};

const issuer = `http://127.0.0.1:${process.env.PORT}`;
const provider = new Provider(issuer, {
  clients: [
    { client_id: 'pingmill', client_secret: 'a secret of the test', redirect_uris: [process.env.REDIRECT] },
    { client_id: 'another', client_secret: 'a secret of another', redirect_uris: [process.env.REDIRECT] },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  conformIdTokenClaims: process.env.CLAIMS !== 'token', // false: all claims stand in the token
  pkce: { required: () => true },
  cookies: { keys: ['a key of the test'] },
  findAccount: (_, id) => accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
});
provider.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
