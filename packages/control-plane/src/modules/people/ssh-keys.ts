import type { SshKey, SshKeyCreate } from '@gantry/api/people/ssh-key'
import { sshKeyRefusal } from '@gantry/api/people/ssh-key.rules'
import type { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { invalidValue } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'

export const sshKeyView = (row: Row<'ssh_key'>): SshKey =>
  resourceView(row, { silo_user_id: row.silo_user_id, public_key: row.public_key })

export function createSshKey(cx: Cx, body: z.infer<typeof SshKeyCreate>): Promise<Row<'ssh_key'>> {
  const { user_id, silo_id } = cx.user()
  // It would be handed to instances, and shown to administrators.
  const refusal = sshKeyRefusal(body.public_key)
  if (refusal) throw invalidValue('public_key', refusal.message, refusal.help)
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo_user', user_id)
    return tx.insert('ssh_key', { ...body, silo_user_id: user_id })
  })
}

export async function deleteSshKey(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'ssh_key', at, 'modify')
  await change(cx, scope, async (tx) => {
    const key = await tx.lock('ssh_key', row)
    await tx.plain.deleteFrom('instance_ssh_key').where('ssh_key_id', '=', key.id).execute()
    await tx.remove('ssh_key', key)
  })
}
