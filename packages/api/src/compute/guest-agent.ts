import { z } from 'zod'
import { family, get, post } from '../op.ts'
import { ByteCount, InProject, list, named, NameOrId, text, Timestamp } from '../schema.ts'
import { guestAgentOffers, guestAgentStates, guestPasswordMax, guestUserMax } from './guest-agent.rules.ts'

const GuestReport = named(
  'GuestReport',
  z.object({
    agent_version: z.string(),
    hostname: z.string().nullable(),
    os: z.string().nullable(),
    kernel: z.string().nullable(),
    interfaces: z.array(
      z.object({
        name: z.string(),
        mac: z.string().nullable(),
        /** With the width of their network, as `10.0.0.5/24`. */
        addresses: z.array(z.string()),
      }),
    ),
    file_systems: z.array(
      z.object({
        mount_point: z.string(),
        type: z.string(),
        size: ByteCount.nullable(),
        used: ByteCount.nullable(),
      }),
    ),
    /** What the agent can be asked for. */
    offers: z.array(z.enum(guestAgentOffers)),
    /** There are more interfaces, addresses or file systems. */
    is_truncated: z.boolean(),
  }),
)

const GuestAgent = named(
  'GuestAgent',
  z.object({
    state: z.enum(guestAgentStates),
    /** When it was asked. */
    time: Timestamp,
    /** Reported by the guest, which may report anything; null unless it answers. */
    reported: GuestReport.nullable(),
  }),
)
export type GuestAgent = z.infer<typeof GuestAgent>

const GuestUser = text(guestUserMax)
const path = z.object({ instance: NameOrId })

export const guestAgentOps = family('extensions', [], {
  instanceGuestAgentView: get('/ext/v1/instances/{instance}/guest-agent', {
    summary: 'Ask the guest agent of an instance for addresses, file systems and what it offers',
    path,
    query: InProject,
    returns: GuestAgent,
    reads: ['instance'],
  }),
  instanceGuestPasswordSet: post('/ext/v1/instances/{instance}/guest-agent/password', {
    summary: 'Set the password of a user in the guest of an instance, through its guest agent',
    path,
    query: InProject,
    body: named('GuestPassword', z.object({ user: GuestUser, password: text(guestPasswordMax) })),
    status: 204,
  }),
  instanceGuestSshKeysAdd: post('/ext/v1/instances/{instance}/guest-agent/ssh-keys', {
    summary:
      'Let SSH keys of the caller sign in as a user in the guest of an instance, through its guest agent',
    path,
    query: InProject,
    body: named(
      'GuestSshKeys',
      z.object({
        user: GuestUser,
        /** Keys of the caller. */
        ssh_public_keys: list(NameOrId, 16).min(1),
      }),
    ),
    status: 204,
  }),
})
