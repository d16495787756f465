import { z } from 'zod'
import { tokenSecondsMax } from './device.rules.ts'
import { family, post } from '../op.ts'
import { maybe, named, text, Timestamp, Uuid } from '../schema.ts'

/** Maximum length of a code or grant type, in characters; real ones have fewer than fifty. */
const deviceTextMax = 256
/** Lifetime of a token in seconds. */
export const Seconds = z.number().int().min(1).max(tokenSecondsMax)

export const DeviceAuthRequest = named(
  'DeviceAuthRequest',
  z.object({
    client_id: Uuid,
    /** The requested lifetime; the silo may have a maximum. */
    ttl_seconds: maybe(z.coerce.number<number>().int().pipe(Seconds)),
  }),
)
export type DeviceAuthRequest = z.infer<typeof DeviceAuthRequest>

const DeviceAuthGranted = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number().int(),
})

const DeviceAccessTokenRequest = named(
  'DeviceAccessTokenRequest',
  z.object({ grant_type: text(deviceTextMax), device_code: text(deviceTextMax), client_id: Uuid }),
)
export type DeviceAccessTokenRequest = z.infer<typeof DeviceAccessTokenRequest>

const DeviceAccessTokenGranted = z.object({
  access_token: z.string(),
  token_type: z.enum(['bearer']),
  token_id: Uuid,
  time_expires: Timestamp.nullable(),
})
export type DeviceAccessTokenGranted = z.infer<typeof DeviceAccessTokenGranted>

const DeviceAuthVerify = named('DeviceAuthVerify', z.object({ user_code: text(deviceTextMax) }))

/** The three steps by which a device gets a token of a user who signed in elsewhere (RFC 8628). */
export const deviceOps = {
  ...family('console-auth', [], {
    deviceAuthRequest: post('/device/auth', {
      summary: 'Start a device sign-in',
      noScreen: { sentBy: 'devices that sign in, such as the command-line client' },
      anonymous: true,
      fromElsewhere: true,
      encoding: 'form',
      body: DeviceAuthRequest,
      returns: DeviceAuthGranted,
      status: 200,
      audited: false,
    }),
    deviceAuthConfirm: post('/device/confirm', {
      changes: ['device-access-token'],
      summary: 'Approve a device to act as the signed-in user',
      body: DeviceAuthVerify,
      status: 204,
    }),
    deviceAccessToken: post('/device/token', {
      changes: ['device-access-token'],
      summary: 'Fetch the token of a confirmed device',
      noScreen: { sentBy: 'devices that wait for the approval of their sign-in' },
      anonymous: true,
      fromElsewhere: true,
      encoding: 'form',
      body: DeviceAccessTokenRequest,
      returns: DeviceAccessTokenGranted,
      status: 200,
      audited: false,
    }),
  }),
  ...family('extensions', [], {
    deviceAuthDeny: post('/ext/v1/device-denials', {
      summary: 'Deny a device, which is told so when it asks for its token',
      body: DeviceAuthVerify,
      status: 204,
    }),
  }),
}
