import type { Protection } from '@gantry/api/history/protection'
import { protectedKinds, type ProtectedKind, protectionProblem } from '@gantry/api/history/protection.rules'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { ResourceLocation } from '../../authz/policy.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { StoredProtection } from '../../db/tables/column-types.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { idKey } from '../../list/page.ts'
import { kinds } from '../../lookup/kinds.ts'
import { need, needOwnSilo } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { tableOf } from '../../lookup/table-of.ts'

interface Found {
  id: string
  kind: ProtectedKind
  protection: StoredProtection
  user_name: string | null
  user_silo_id: string | null
}

/** A project is among what is protected in it, and in its silo. */
const placed: Readonly<Record<ProtectedKind, RawBuilder<unknown>>> = {
  instance: sql`t.project_id, NULL::uuid AS silo_id`,
  disk: sql`t.project_id, NULL::uuid`,
  image: sql`t.project_id, CASE WHEN t.project_id IS NULL THEN t.silo_id END`,
  'floating-ip': sql`t.project_id, NULL::uuid`,
  'external-subnet': sql`t.project_id, NULL::uuid`,
  vpc: sql`t.project_id, NULL::uuid`,
  project: sql`t.id, t.silo_id`,
}

const protectedRows = sql`(
  SELECT o.*, u.external_id AS user_name, u.silo_id AS user_silo_id FROM (${sql.join(
    protectedKinds.map(
      (kind) => sql`SELECT t.id, ${sql.lit(kind)}::text AS kind, t.protection, ${placed[kind]}
        FROM ${sql.table(tableOf(kind))} t WHERE t.protection IS NOT NULL AND t.time_deleted IS NULL`,
    ),
    sql` UNION ALL `,
  )}) o LEFT JOIN silo_user u ON u.id = (o.protection->>'user_id')::uuid)`

/** What is protected in a project, the project included; without one, the projects and images of the caller's silo. */
export const listProtections = (cx: Cx, query: QueryOf<typeof ops.protectionList>) =>
  relationPage(
    cx,
    ops.protectionList,
    { columns: sql<Found>`t.id, t.kind, t.protection, t.user_name, t.user_silo_id`, from: protectedRows },
    query,
    {
      keys: { id: idKey },
      where: async ({ project }) => {
        if (!project) return [sql`t.silo_id = ${needOwnSilo(cx, 'list_children').silo_id}`]
        const { row } = await need(cx, 'project', { project }, 'list_children')
        return [sql`t.project_id = ${row.id}`]
      },
    },
    (found) => viewOf(cx, found),
  )

const viewOf = (
  cx: Pick<Cx, 'can'>,
  { id, kind, protection, user_name, user_silo_id }: Found,
): Protection => {
  const { no_delete, no_stop, reason, user_id, time } = protection
  const location = { class: 'siloUser', silo_id: user_silo_id ?? '' } satisfies ResourceLocation
  const isShown = user_name !== null && cx.can('read', location)
  const set_by = isShown ? { id: user_id, name: user_name } : null
  return { id, kind, no_delete, no_stop, reason, set_by, time_set: time }
}

export async function updateProtection(
  cx: Cx,
  { path, query: { kind }, body }: Input<'protectionUpdate'>,
): Promise<Protection> {
  const problem = protectionProblem(kind, body)
  const found = await needProtectable(cx, kind, path.object_id)
  if (problem) throw invalid(problem)
  const { user_id, silo_id, display_name } = cx.user()
  const protection: StoredProtection = { ...body, user_id, time: cx.now().toISOString() }
  await write(cx, kind, found, protection)
  return viewOf(cx, { id: found.row.id, kind, protection, user_name: display_name, user_silo_id: silo_id })
}

/** Taking off none changes nothing. */
export async function removeProtection(
  cx: Cx,
  { path, query: { kind } }: Input<'protectionRemove'>,
): Promise<void> {
  await write(cx, kind, await needProtectable(cx, kind, path.object_id), null)
}

const needProtectable = (cx: Cx, kind: ProtectedKind, id: string) =>
  need(cx, tableOf(kind), { [kinds[tableOf(kind)].selector]: id }, 'modify')

const write = (
  cx: Cx,
  kind: ProtectedKind,
  { row, scope }: Awaited<ReturnType<typeof needProtectable>>,
  protection: StoredProtection | null,
): Promise<void> =>
  change(cx, scope, async (tx) => {
    const object = await tx.lock(tableOf(kind), row)
    if (protection === null && object.protection === null) return
    const stored = protection && JSON.stringify(protection)
    await tx.update(tableOf(kind), object, { protection: stored }, { touch: false })
    tx.note('protection', object.id, undefined, undefined)
  })
