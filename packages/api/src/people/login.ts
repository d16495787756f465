import { z } from 'zod'
import { family, get, post } from '../op.ts'
import { samlFormMaxBytes } from './saml.rules.ts'
import { maybe, Name, named, text } from '../schema.ts'

/** Maximum length of a return path, in characters; browsers and proxies cut longer URLs anyway. */
export const redirectMaxLength = 4096

const LoginSilo = named('LoginSilo', z.object({ name: Name, description: z.string() }))
export type LoginSilo = z.infer<typeof LoginSilo>

/**
 * The sign-in methods of a silo. An undiscoverable silo looks like one with local users, and so does a
 * missing one.
 */
const LoginMethods = named(
  'LoginMethods',
  z.object({
    /** Whether to ask for a user name and a password. */
    local: z.boolean(),
    /** Whether this server accepts passkeys instead of the password. */
    passkey: z.boolean(),
    saml: z.array(named('LoginProvider', z.object({ name: Name, description: z.string() }))),
  }),
)
export type LoginMethods = z.infer<typeof LoginMethods>

const provider = z.object({ silo_name: Name, provider_name: Name })
/** The page that sends users to a provider, and shows the outcome. */
const providerPage = '/login/{silo_name}/saml/{provider_name}'

export const loginOps = {
  ...family('login', [], {
    loginSaml: post(providerPage, {
      changes: ['silo-user', 'silo-group', 'console-session'],
      summary: 'Sign in with the response of a SAML identity provider',
      noScreen: { sentBy: 'the identity provider, which posts its response through the browser' },
      anonymous: true,
      fromElsewhere: true,
      refusedAt: providerPage,
      path: provider,
      encoding: 'bytes',
      bodyMax: samlFormMaxBytes,
      status: 303,
    }),
  }),
  ...family('extensions', [], {
    loginSamlBegin: get('/login/{silo_name}/saml/{provider_name}/redirect', {
      summary: 'Go to a SAML identity provider to sign in',
      noScreen: { sentBy: 'the browser, which follows a link of the sign-in page' },
      anonymous: true,
      refusedAt: providerPage,
      path: provider,
      query: z.object({ redirect_uri: maybe(text(redirectMaxLength)) }),
      status: 302,
    }),
    loginSiloList: get('/ext/v1/login/silos', {
      summary: 'List discoverable silos for sign-in',
      anonymous: true,
      returns: named('LoginSilos', z.object({ items: z.array(LoginSilo) })),
    }),
    loginMethodView: get('/ext/v1/login/silos/{silo_name}', {
      summary: 'Fetch the ways to sign in to a silo',
      anonymous: true,
      path: z.object({ silo_name: Name }),
      returns: LoginMethods,
    }),
  }),
}
