import type { sshKeyOps } from '@gantry/api/people/ssh-key'
import { fresh, named } from '../../testing/case-values.ts'
import type { CasesOf } from '../../testing/operation-case.ts'

export const sshKeyCases: CasesOf<typeof sshKeyOps> = {
  currentUserSshKeyList: { sent: {}, rule: 'member', allowed: () => ['/v1/me/ssh-keys'] },
  currentUserSshKeyCreate: {
    sent: { body: { ...named, public_key: 'ssh-ed25519 AAAA' } },
    rule: 'member',
    allowed: () => ['/v1/me/ssh-keys', { name: fresh(), description: '', public_key: 'k' }],
  },
  currentUserSshKeyView: {
    sent: { path: { ssh_key: 'nobody' } },
    rule: 'member',
    allowed: () => ['/v1/me/ssh-keys/mine'],
    addressed: ['ssh_key', 'ssh-key', []],
  },
  currentUserSshKeyDelete: {
    sent: { path: { ssh_key: 'nobody' } },
    rule: 'member',
    allowed: () => ['/v1/me/ssh-keys/mine'],
    addressed: ['ssh_key', 'ssh-key', []],
  },
}
