import { sql } from 'kysely'
import { implement } from '../../pipeline/implement.ts'
import { need } from '../../lookup/need.ts'
import { listPage } from '../../list/page.ts'
import { currentUser } from './current-user.ts'
import { personView } from './people.ts'
import { createSshKey, deleteSshKey, sshKeyView } from './ssh-keys.ts'

export const identityHttp = implement({
  ping: async () => ({ status: 'ok' as const }),
  currentUserView: currentUser,
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
        const { id } = (await need(cx, 'silo_group', { group_id: group }, 'read')).row
        return {
          where,
          and: sql`t.id IN (SELECT silo_user_id FROM silo_group_membership WHERE silo_group_id = ${id})`,
        }
      },
      personView,
    ),
  userView: async (cx, { path }) => personView((await need(cx, 'silo_user', path, 'read')).row),
  groupList: (cx, { query }) =>
    listPage(cx, 'silo_group', query, () => ({ where: { silo_id: cx.user().silo_id } }), personView),
  groupView: async (cx, { path }) => personView((await need(cx, 'silo_group', path, 'read')).row),

  currentUserSshKeyList: (cx, { query }) =>
    listPage(cx, 'ssh_key', query, () => ({ where: { silo_user_id: cx.user().user_id } }), sshKeyView),
  currentUserSshKeyCreate: async (cx, { body }) => sshKeyView(await createSshKey(cx, body)),
  currentUserSshKeyView: async (cx, { path }) => sshKeyView((await need(cx, 'ssh_key', path, 'read')).row),
  currentUserSshKeyDelete: (cx, { path }) => deleteSshKey(cx, path),
})
