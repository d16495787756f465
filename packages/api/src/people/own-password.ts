import { z } from 'zod'
import { Password } from './me.ts'
import { family, get, post } from '../op.ts'
import { Name, named } from '../schema.ts'

const OwnPassword = named(
  'OwnPassword',
  z.object({
    /** Whether there is one to change; users of an identity provider have none here. */
    is_set: z.boolean(),
  }),
)

const OwnPasswordChange = named('OwnPasswordChange', z.object({ old_password: Password, password: Password }))
export type OwnPasswordChange = z.infer<typeof OwnPasswordChange>

const NewPassword = named('NewPassword', z.object({ password: Password }))

export const ownPasswordOps = family('extensions', ['silo-user'], {
  currentUserPasswordView: get('/ext/v1/me/password', {
    summary: 'Fetch whether the signed-in user has a password',
    returns: OwnPassword,
  }),
  currentUserPasswordChange: post('/ext/v1/me/password', {
    changes: ['silo-user', 'console-session', 'device-access-token'],
    summary: "Change the signed-in user's password and end their other sessions and tokens",
    body: OwnPasswordChange,
    status: 204,
  }),
  loginNewPassword: post('/ext/v1/login/{silo_name}/new-password', {
    changes: ['silo-user', 'console-session', 'device-access-token'],
    summary: 'Replace a one-time password at sign-in, and sign in',
    anonymous: true,
    path: z.object({ silo_name: Name }),
    body: NewPassword,
    status: 204,
  }),
})
