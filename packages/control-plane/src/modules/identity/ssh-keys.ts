import type { SshKey, SshKeyCreate } from '@gantry/api/ssh-key'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf, aim } from '../../kernel/need.ts'
import { resourceView } from '../../kernel/views.ts'

export const sshKeyView = (row: Row<'ssh_key'>): SshKey =>
  resourceView(row, { silo_user_id: row.silo_user_id, public_key: row.public_key })

/** Only the caller's own: nobody's else can be named here. */
export async function findSshKey(cx: Cx, selector: string): Promise<Row<'ssh_key'>> {
  const own = cx.db
    .selectFrom('ssh_key')
    .selectAll()
    .where('silo_user_id', '=', cx.user().user_id)
    .where('time_deleted', 'is', null)
  const row = await (
    isUuid(selector) ? own.where('id', '=', canonicalUuid(selector)) : own.where('name', '=', selector)
  ).executeTakeFirst()
  if (!row) throw addressOf('ssh-key', selector)
  return row
}

export function createSshKey(cx: Cx, body: z.infer<typeof SshKeyCreate>): Promise<Row<'ssh_key'>> {
  const { user_id, silo_id } = cx.user()
  return change(cx, { silo_id, project_id: null }, (tx) =>
    tx.insert('ssh_key', { ...body, silo_user_id: user_id }),
  )
}

export async function deleteSshKey(cx: Cx, selector: string): Promise<void> {
  const row = await findSshKey(cx, selector)
  aim(cx, row)
  await change(cx, { silo_id: cx.user().silo_id, project_id: null }, async (tx) => {
    const key = await tx.lock('ssh_key', row.id)
    await tx.plain.deleteFrom('instance_ssh_key').where('ssh_key_id', '=', key.id).execute()
    await tx.remove('ssh_key', key)
  })
}
