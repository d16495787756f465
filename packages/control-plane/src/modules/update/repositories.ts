import type {
  TufArtifactMeta,
  TufRepo,
  TufRepoDescription,
  TufRepoInsertResponse,
  UpdateRepository,
} from '@gantry/api/system/update'
import { compareVersions, isSemver, maxUpdateRepositories } from '@gantry/api/system/update.rules'
import { sql } from 'kysely'
import type { QueryOf } from '@gantry/api/op'
import { updateOps } from '@gantry/api/system/update'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { arrayPage } from '../../list/array-page.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { conflict, insufficient } from '../../context/refusal.ts'
import type { Release } from './archive.ts'
import { lockPlan } from './plan.ts'
import { currentTarget } from './target-row.ts'
import { generationKey } from '../../lookup/etag.ts'

type Repository = Row<'update_repository'>

export const descriptionOf = (row: Repository): TufRepoDescription => ({
  repo: {
    hash: row.hash,
    targets_role_version: row.targets_role_version,
    valid_until: row.valid_until.toISOString(),
    system_version: row.name,
    file_name: row.file_name,
  },
  artifacts: row.artifacts,
})

export const releaseOf = ({ file_name, hash, name, time_created }: Repository): TufRepo => ({
  file_name,
  hash,
  system_version: name,
  time_created: time_created.toISOString(),
})

export async function viewRelease(cx: Cx, at: Selectors): Promise<TufRepo> {
  const { row } = await need(cx, 'update_repository', at, 'read')
  return { ...releaseOf(row), [generationKey]: row.generation } as TufRepo
}

/** By version, of which the database knows no order; their number is limited. */
export async function listReleases(cx: Cx, query: QueryOf<typeof updateOps.systemUpdateRepositoryList>) {
  needFleet(cx, 'list_children')
  const rows = await repositories(cx.db)
  return arrayPage(cx, updateOps.systemUpdateRepositoryList, query, {
    items: ({ sort_by }) => {
      const items = rows
        .map((row) => releaseOf(row))
        .sort((a, b) => newestFirst(a.system_version, b.system_version))
      return sort_by === 'version_descending' ? items : items.reverse()
    },
    keyOf: ({ system_version }) => system_version,
    isKey: isSemver,
  })
}

const repositories = (db: Pick<Reader, 'selectFrom'>): Promise<Repository[]> =>
  db.selectFrom('update_repository').selectAll().where('time_deleted', 'is', null).execute()

export async function viewRepository(cx: Cx, at: Selectors): Promise<{ description: TufRepoDescription }> {
  const { row } = await need(cx, 'update_repository', at, 'read')
  return { description: descriptionOf(row), [generationKey]: row.generation } as {
    description: TufRepoDescription
  }
}

/** All of them: their number is limited. */
export async function listRepositories(cx: Cx): Promise<{ items: UpdateRepository[] }> {
  needFleet(cx, 'list_children')
  const rows = await repositories(cx.db)
  const running = await cx.db
    .selectFrom('update_component')
    .select('version')
    .distinct()
    .where('version', 'is not', null)
    .execute()
  const versions = new Set(running.map(({ version }) => version))
  const items = rows.map((row) => ({
    hash: row.hash,
    system_version: row.name,
    file_name: row.file_name,
    time_created: row.time_created.toISOString(),
    valid_until: row.valid_until.toISOString(),
    size: row.size,
    artifacts: row.artifacts.length,
    is_running: versions.has(row.name),
  }))
  return { items: items.sort((a, b) => newestFirst(a.system_version, b.system_version)) }
}

const newestFirst = (a: string, b: string): number => compareVersions(b, a) || (a < b ? 1 : -1)

export async function deleteRepository(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'update_repository', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    await lockPlan(tx)
    const repository = await tx.lock('update_repository', row)
    if ((await currentTarget(tx.read))?.system_version === repository.name)
      throw conflict('the repository is the target release', 'Set another target release first.')
    const user = await tx.read
      .selectFrom('update_component')
      .select('kind')
      .where((eb) => eb.or([eb('version', '=', repository.name), eb('target', '=', repository.name)]))
      .limit(1)
      .executeTakeFirst()
    if (user)
      throw conflict('components of the rack run the repository', 'Wait until they run another release.')
    await tx.remove('update_repository', repository)
  })
}

/** Stores a verified release unless it exists. Runs inside the caller's change. */
export async function recordRelease(
  tx: Change,
  release: Release,
  file: { file_name: string; size: number },
): Promise<TufRepoInsertResponse & { row: Repository }> {
  // Serialises uploads of the same version or artifact.
  await sql`LOCK TABLE update_repository IN SHARE ROW EXCLUSIVE MODE`.execute(tx.plain)
  const rows = await repositories(tx.read)
  const known = rows.find(({ name }) => name === release.system_version)
  if (known && known.hash !== release.hash)
    throw conflict(
      `there is already a repository for ${known.name} with hash ${known.hash}; the uploaded one has hash ${release.hash}`,
      'Give a changed release another version.',
    )
  if (known) return { recorded: descriptionOf(known), status: 'already_exists', row: known }
  refuseOtherArtifacts(release.artifacts, rows)
  if (rows.length >= maxUpdateRepositories)
    throw insufficient(`there are already ${maxUpdateRepositories} repositories`, {
      help: 'Delete repositories of old releases first.',
    })
  const { system_version: name, hash, targets_role_version, valid_until, artifacts } = release
  const row = await tx.insert('update_repository', {
    name,
    hash,
    targets_role_version,
    valid_until,
    artifacts: JSON.stringify(artifacts),
    ...file,
  })
  return { recorded: descriptionOf(row), status: 'inserted', row }
}

/** An artifact has the same bytes in every release, and equal bytes are the same artifact. */
function refuseOtherArtifacts(artifacts: readonly TufArtifactMeta[], rows: readonly Repository[]): void {
  const byId = new Map<string, string>()
  const byHash = new Map<string, string>()
  for (const { id, hash } of rows.flatMap((row) => row.artifacts)) {
    byId.set(nameOf(id), hash)
    byHash.set(`${id.kind} ${hash}`, nameOf(id))
  }
  const different = artifacts.filter(({ id, hash }) => {
    const name = nameOf(id)
    return (byId.get(name) ?? hash) !== hash || (byHash.get(`${id.kind} ${hash}`) ?? name) !== name
  })
  if (different.length > 0)
    throw conflict(
      `uploaded artifacts differ from those with the same name or hash: ${different.map(({ id }) => nameOf(id)).join(', ')}`,
      'Give changed artifacts another version.',
    )
}

const nameOf = ({ name, version, kind }: TufArtifactMeta['id']): string => `${name} ${version} (${kind})`
