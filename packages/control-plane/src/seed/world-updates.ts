import { MiB } from '@gantry/api/base/bytes.rules'
import type { Change } from '../change/change.ts'
import type { Cx } from '../context/cx.ts'
import { type Release, verifyArchive } from '../modules/update/archive.ts'
import { componentsOf } from '../modules/update/components.ts'
import { makeRepository, rootRoleOf, signingKey } from '../modules/update/make-repository.ts'
import { recordRelease } from '../modules/update/repositories.ts'
import type { RootRole } from '../modules/update/roles.ts'

const dayMs = 24 * 3_600_000
/** The first one runs, and the second is available. */
const versions = ['1.0.0', '1.1.0'] as const

/** A publisher's trust root, and two of its releases. The key is not kept. */
export interface SeededReleases {
  root: RootRole
  releases: { release: Release; size: number }[]
}

export async function makeReleases(cx: Cx): Promise<SeededReleases> {
  const now = cx.now()
  const key = signingKey(cx.services.random(32))
  const root = rootRoleOf(key, new Date(now.getTime() + 5 * 365 * dayMs))
  const releases: SeededReleases['releases'] = []
  for (const version of versions) {
    const bytes = await makeRepository({ version, key, expires: new Date(now.getTime() + 365 * dayMs) })
    const source = {
      size: bytes.length,
      read: async (at: number, length: number) => bytes.subarray(at, at + length),
    }
    const release = await verifyArchive(source, { roots: [root], now, unpackedMax: MiB })
    releases.push({ release, size: bytes.length })
  }
  return { root, releases }
}

/** The rack runs the first release, and a newer one is there to update to. */
export async function seedReleases(tx: Change, { root, releases }: SeededReleases): Promise<void> {
  tx.at({ silo_id: null, project_id: null })
  await tx.insert('update_trust_root', { root_role: JSON.stringify(root) })
  for (const { release, size } of releases)
    await recordRelease(tx, release, { file_name: `gantry-${release.system_version}.zip`, size })
  const time_requested = new Date(tx.cx.now().getTime() - 40 * dayMs)
  const [version] = versions
  await tx.plain
    .insertInto('target_release')
    .values({ generation: 2, time_requested, system_version: version })
    .execute()
  const components = await componentsOf(tx.read)
  await tx.plain
    .insertInto('update_component')
    .values(
      components.map(({ kind, hardware_id }) => ({
        kind,
        hardware_id,
        version,
        state: null,
        target: null,
        reason: null,
        drain_id: null,
        time_changed: time_requested,
      })),
    )
    .execute()
}
