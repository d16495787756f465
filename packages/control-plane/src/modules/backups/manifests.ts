import type { Row } from '../../db/tables.ts'
import { chunksPerPage, digestBytes, largest, Manifest, manifestName, pageName } from './format/layout.ts'
import { Damaged } from './format/sealing.ts'
import type { Opened } from './opened.ts'

type Target = Pick<Opened, 'store' | 'sealing'>

/** The manifest of that name; undefined if there is none. */
export async function readManifest({ store, sealing }: Target, name: string): Promise<Manifest | undefined> {
  const sealed = await store.get(name, largest.manifest)
  if (!sealed) return undefined
  const bytes = await sealing.open(name, sealed, largest.manifest)
  const parsed = Manifest.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
  if (!parsed.success) throw new Damaged(`${name} is in a form that is not known here`)
  return parsed.data
}

export interface Surroundings {
  project: { id: string; name: string }
  silo: { id: string; name: string }
}

export async function writeManifest(
  { store, sealing }: Target,
  backup: Row<'instance_backup'>,
  { project, silo }: Surroundings,
): Promise<void> {
  const { id, name, description, consistency, size, disks, settings, user_data } = backup
  const manifest: Manifest = {
    format: 1,
    id,
    name,
    description,
    time_created: backup.time_created.toISOString(),
    time_taken: backup.time_taken.toISOString(),
    instance: { id: backup.instance_id, name: backup.instance_name },
    project,
    silo,
    consistency,
    size,
    disks: disks.map((disk) => ({ ...disk })),
    settings: { ...settings },
    user_data,
  }
  const at = manifestName(backup)
  await store.put(at, await sealing.seal(at, new TextEncoder().encode(JSON.stringify(manifest))))
}

/** What of a manifest becomes a backup's row. */
export const rowOf = (manifest: Manifest) => ({
  description: manifest.description,
  instance_id: manifest.instance.id,
  instance_name: manifest.instance.name,
  consistency: manifest.consistency,
  size: manifest.size,
  time_taken: new Date(manifest.time_taken),
  disks: JSON.stringify(manifest.disks),
  settings: JSON.stringify(manifest.settings),
  user_data: manifest.user_data,
})

/** The names of the chunks in one page of a disk, in order; null for one of zeros. Undefined if there is no page. */
export async function readPage(
  { store, sealing }: Target,
  backupId: string,
  disk: number,
  page: number,
): Promise<(string | null)[] | undefined> {
  const name = pageName(backupId, disk, page)
  const sealed = await store.get(name, largest.page)
  if (!sealed) return undefined
  return namesIn(await sealing.open(name, sealed, chunksPerPage * digestBytes))
}

function namesIn(bytes: Uint8Array): (string | null)[] {
  if (bytes.length % digestBytes !== 0) throw new Damaged('a page has no whole number of names')
  const names: (string | null)[] = []
  for (let at = 0; at < bytes.length; at += digestBytes) {
    const digest = bytes.subarray(at, at + digestBytes)
    names.push(
      digest.every((byte) => byte === 0)
        ? null
        : Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    )
  }
  return names
}

export async function writePage(
  { store, sealing }: Target,
  name: string,
  digests: readonly (string | null)[],
): Promise<void> {
  const bytes = new Uint8Array(digests.length * digestBytes)
  for (const [at, digest] of digests.entries())
    if (digest !== null)
      for (let byte = 0; byte < digestBytes; byte++)
        bytes[at * digestBytes + byte] = Number.parseInt(digest.slice(byte * 2, byte * 2 + 2), 16)
  await store.put(name, await sealing.seal(name, bytes))
}
