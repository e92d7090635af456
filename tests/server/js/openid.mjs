// A real OpenID provider (oidc-provider) on loopback, reachable also by the addresses that the four sites use: node openid.mjs PORT BACK
import Provider from "oidc-provider";

const [port, back] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const emails = new Map(); // account → a changed address
const client = (id, more = {}) => ({ client_id: id, client_secret: `${id}-secret`, redirect_uris: [`${back}/login/${id}/callback`], ...more });

const provider = new Provider(issuer, {
  clients: [client("google"), client("yahoojp"), client("x"), client("facebook", { token_endpoint_auth_method: "client_secret_post" })],
  scopes: ["openid", "email", "profile", "users.read", "tweet.read", "public_profile"],
  claims: { openid: ["sub"], email: ["email"], profile: ["name"] },
  pkce: { required: (ctx, client) => client.clientId !== "facebook" },
  cookies: { keys: ["for trials only"] },
  findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id, name: `The ${id}`, email: emails.get(id) ?? `${id}@example.org` }) }),
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
});

const ALIASES = {
  "/yconnect/v2/.well-known/openid-configuration": "/.well-known/openid-configuration",
  "/i/oauth2/authorize": "/auth",
  "/2/oauth2/token": "/token",
  "/v23.0/dialog/oauth": "/auth",
  "/v23.0/oauth/access_token": "/token",
};
const PEOPLE = {
  "/2/users/me": (id) => ({ data: { id, name: `The ${id}`, username: id } }),
  "/v23.0/me": (id) => ({ id, name: `The ${id}`, email: emails.get(id) ?? `${id}@example.org` }),
};

provider.use(async (ctx, next) => {
  if (ctx.path === "/moved") {
    emails.set(ctx.query.id, ctx.query.email);
    ctx.body = "ok";
    return;
  }
  if (ctx.path in PEOPLE) {
    const token = await provider.AccessToken.find((ctx.get("authorization") ?? "").replace("Bearer ", ""));
    ctx.status = token ? 200 : 401;
    ctx.body = token ? PEOPLE[ctx.path](token.accountId) : { error: "invalid_token" };
    return;
  }
  ctx.path = ALIASES[ctx.path] ?? ctx.path;
  await next();
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
