import { z } from 'zod'
import { del, family, get, post } from '../op.ts'
import {
  identityCreate,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { sshKeyMaxLength } from './ssh-key.rules.ts'

export const SshKey = named('SshKey', withIdentity({ silo_user_id: Uuid, public_key: z.string() }))
export type SshKey = z.infer<typeof SshKey>
/** Anything but a private key is accepted (control plane reference, A 11). */
const PublicKey = text(sshKeyMaxLength, `public key may contain at most ${sshKeyMaxLength} characters`)
export const SshKeyCreate = named('SshKeyCreate', z.object({ ...identityCreate, public_key: PublicKey }))
export const SshKeyPage = pageOf('SshKey', SshKey)

const path = z.object({ ssh_key: NameOrId })

export const sshKeyOps = family('current-user', ['ssh-key'], {
  currentUserSshKeyList: get('/v1/me/ssh-keys', {
    summary: 'List your SSH public keys',
    query: NameOrIdPaging,
    sorts: nameOrIdSorts,
    returns: SshKeyPage,
  }),
  currentUserSshKeyCreate: post('/v1/me/ssh-keys', {
    summary: 'Add an SSH public key',
    body: SshKeyCreate,
    returns: SshKey,
  }),
  currentUserSshKeyView: get('/v1/me/ssh-keys/{ssh_key}', {
    revalidates: true,
    summary: 'Fetch an SSH public key',
    path,
    returns: SshKey,
  }),
  currentUserSshKeyDelete: del('/v1/me/ssh-keys/{ssh_key}', { summary: 'Delete an SSH public key', path }),
})
