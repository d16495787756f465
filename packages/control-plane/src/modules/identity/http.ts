import { sql } from 'kysely'
import type { Cx } from '../../kernel/cx.ts'
import { implement } from '../../kernel/implement.ts'
import { listPage } from '../../kernel/page.ts'
import { currentUser } from './current-user.ts'
import { needPerson, personView } from './people.ts'
import { createSshKey, deleteSshKey, findSshKey, sshKeyView } from './ssh-keys.ts'

const person = (cx: Cx, table: 'silo_user' | 'silo_group', id: string) =>
  needPerson(cx.db, table, id, cx.user().silo_id)

export const identityHttp = implement({
  ping: async () => ({ status: 'ok' as const }),
  currentUserView: async (cx) => currentUser(cx),
  currentUserGroups: (cx, { query }) =>
    listPage(
      cx,
      'silo_group',
      query,
      () => {
        const { silo_id, user_id } = cx.user()
        return {
          where: { silo_id },
          and: sql`t.id IN (SELECT silo_group_id FROM silo_group_membership WHERE silo_user_id = ${user_id})`,
        }
      },
      personView,
    ),
  userList: (cx, { query }) =>
    listPage(
      cx,
      'silo_user',
      query,
      async ({ group }) => {
        const where = { silo_id: cx.user().silo_id }
        if (!group) return { where }
        const { id } = await person(cx, 'silo_group', group)
        return {
          where,
          and: sql`t.id IN (SELECT silo_user_id FROM silo_group_membership WHERE silo_group_id = ${id})`,
        }
      },
      personView,
    ),
  userView: async (cx, { path }) => personView(await person(cx, 'silo_user', path.user_id)),
  groupList: (cx, { query }) =>
    listPage(cx, 'silo_group', query, () => ({ where: { silo_id: cx.user().silo_id } }), personView),
  groupView: async (cx, { path }) => personView(await person(cx, 'silo_group', path.group_id)),

  currentUserSshKeyList: (cx, { query }) =>
    listPage(cx, 'ssh_key', query, () => ({ where: { silo_user_id: cx.user().user_id } }), sshKeyView),
  currentUserSshKeyCreate: async (cx, { body }) => sshKeyView(await createSshKey(cx, body)),
  currentUserSshKeyView: async (cx, { path }) => sshKeyView(await findSshKey(cx, path.ssh_key)),
  currentUserSshKeyDelete: (cx, { path }) => deleteSshKey(cx, path.ssh_key),
})
