import { z } from 'zod'
import { del, family, get, post } from '../op.ts'
import { IdPaging, idSorts, named, pageOf, Timestamp, Uuid } from '../schema.ts'

const session = { id: Uuid, time_created: Timestamp, time_last_used: Timestamp }
export const ConsoleSession = named('ConsoleSession', z.object(session))
export type ConsoleSession = z.infer<typeof ConsoleSession>

/** One of the caller's own sessions, with details for recognising it. */
export const OwnSession = named(
  'OwnSession',
  z.object({
    ...session,
    /** The user agent and address of the sign-in; null if unknown. */
    user_agent: z.string().nullable(),
    address: z.string().nullable(),
    /** Whether it is the current session. */
    current: z.boolean(),
  }),
)
export type OwnSession = z.infer<typeof OwnSession>

export const sessionOps = {
  ...family('silos', ['console-session'], {
    userSessionList: get('/v1/users/{user_id}/sessions', {
      summary: "List a user's sessions",
      path: z.object({ user_id: Uuid }),
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('ConsoleSession', ConsoleSession),
    }),
    userLogout: post('/v1/users/{user_id}/logout', {
      changes: ['console-session', 'device-access-token'],
      summary: 'End all sessions and delete all access tokens of a user',
      path: z.object({ user_id: Uuid }),
      status: 204,
    }),
  }),
  ...family('extensions', ['console-session'], {
    currentUserSessionList: get('/ext/v1/me/sessions', {
      summary: 'List sessions of the signed-in user',
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('OwnSession', OwnSession),
    }),
    currentUserSessionDelete: del('/ext/v1/me/sessions/{session_id}', {
      summary: 'End a session of the signed-in user',
      path: z.object({ session_id: Uuid }),
    }),
    currentUserSessionDeleteOthers: post('/ext/v1/me/sessions/end-others', {
      summary: 'End all other sessions of the signed-in user',
      status: 204,
    }),
  }),
}
