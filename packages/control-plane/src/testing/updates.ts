import { makeRepository, rootRoleOf, sampleArtifacts, signingKey } from '../modules/update/make-repository.ts'
import type { TestBed } from './control-plane.ts'

/** A publisher whose key never changes. */
export const publisher = signingKey(new Uint8Array(32).fill(7))
export const inYears = (years: number): Date => new Date(Date.now() + years * 365 * 24 * 3_600_000)
export const publishersRoot = rootRoleOf(publisher, inYears(5))

export const signedRepository = (version: string): Promise<Uint8Array<ArrayBuffer>> =>
  makeRepository({ version, key: publisher, expires: inYears(1) })

const tracked = () => ({ id: crypto.randomUUID(), time_created: new Date(), time_modified: new Date() })

export async function addTrustRoot({ db }: Pick<TestBed, 'db'>): Promise<string> {
  const row = { ...tracked(), root_role: JSON.stringify(publishersRoot) }
  await db.insertInto('update_trust_root').values(row).execute()
  return row.id
}

/** A release as if it had been uploaded; gives its version. */
export async function addRepository({ db }: Pick<TestBed, 'db'>, version: string): Promise<string> {
  const artifacts = sampleArtifacts(version).map(({ bytes, ...id }) => ({
    id,
    hash: crypto.randomUUID().replaceAll('-', '').repeat(2),
    size: bytes.length,
  }))
  await db
    .insertInto('update_repository')
    .values({
      ...tracked(),
      name: version,
      hash: crypto.randomUUID().replaceAll('-', '').repeat(2),
      file_name: `gantry-${version}.zip`,
      targets_role_version: 1,
      valid_until: inYears(1),
      size: 4096,
      artifacts: JSON.stringify(artifacts),
    })
    .execute()
  return version
}

/** An upload that nothing has been sent for. */
export async function addUpload(
  { db, blocks }: Pick<TestBed, 'db' | 'blocks'>,
  size = 1024,
): Promise<string> {
  const content_id = crypto.randomUUID()
  await blocks.create(content_id, size)
  const row = { ...tracked(), content_id, size, file_name: 'gantry.zip', time_received: new Date() }
  const fresh = { state: 'open' as const, system_version: null, failure: null, is_stream: false }
  await db
    .insertInto('update_upload')
    .values({ ...row, ...fresh })
    .execute()
  return row.id
}
