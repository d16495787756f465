import type { TufArtifactMeta } from '@gantry/api/system/update'
import { isSemver, updateArchiveLimits, updateKindNames } from '@gantry/api/system/update.rules'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Entry } from '@zip.js/zip.js'
import { z } from 'zod'
import { entryNames, openArchive, type Source, unpack } from './zip.ts'
import { Refusal, unreadable } from '../../context/refusal.ts'
import { type RootRole, shapeProblem, signatureProblem, TargetsRole } from './roles.ts'

/** The paths of a repository's signed list of files and of the description of its artifacts. */
export const targetsPath = 'metadata/targets.json'
export const targetsFolder = 'targets/'
export const artifactsName = 'artifacts.json'

const word = z.string().min(1).max(128)
const Artifacts = z.object({
  system_version: z.string().refine(isSemver, 'expected a semantic version'),
  artifacts: z
    .array(
      z.object({
        name: word,
        version: word,
        kind: z.string(),
        target: z.string().max(255),
        board: word.nullish(),
        sign: z.array(z.number().int().min(0).max(255)).max(64).nullish(),
      }),
    )
    .max(updateArchiveLimits.entries),
})

/** The contents of an archive, all verified. */
export interface Release {
  hash: string
  system_version: string
  targets_role_version: number
  valid_until: Date
  artifacts: TufArtifactMeta[]
}

export interface Verifier {
  roots: readonly RootRole[]
  now: Date
  /** Maximum bytes of all files together. */
  unpackedMax: number
}

/**
 * Verifies an archive: first the signature of its list of files, the only part unpacked before, then each file
 * against the list. Throws a refusal that names the first problem.
 */
export async function verifyArchive(source: Source, { roots, now, unpackedMax }: Verifier): Promise<Release> {
  if (roots.length === 0)
    throw refused('there is no trust root to verify it by', 'Add the trust root of its publisher first.')
  const entries = await openArchive(source)
  const signed = await readTargets(entries, roots, now)
  const files = Object.entries(signed.targets)
  if (files.reduce((sum, [, { length }]) => sum + length, 0) > unpackedMax)
    throw refused(`its files are larger than ${unpackedMax} bytes together`)
  refuseOtherFiles(entries, signed)
  const described = await readArtifacts(entries, signed)
  for (const [name, expected] of files)
    await hashFile(entries, `${targetsFolder}${name}`, expected.length, expected.hashes.sha256)
  return {
    hash: await digestOf(source),
    system_version: described.system_version,
    targets_role_version: signed.version,
    valid_until: new Date(signed.expires),
    artifacts: artifactsOf(described, signed),
  }
}

/** Invalid content has no error code of its own (control plane reference, A 16). */
export const refused = (why: string, help = 'Upload an intact repository of its publisher.'): Refusal =>
  new Refusal(undefined, `invalid repository: ${why}`, { help })

type Signed = TargetsRole['signed']

async function readTargets(
  entries: ReadonlyMap<string, Entry>,
  roots: readonly RootRole[],
  now: Date,
): Promise<Signed> {
  const targets = await readJson(entries, targetsPath, TargetsRole)
  const problems = roots.map((root) =>
    new Date(root.signed.expires) <= now
      ? `trust root expired on ${root.signed.expires}`
      : signatureProblem(root.signed, 'targets', targets),
  )
  if (!problems.includes(undefined))
    throw refused(
      `${targetsPath} is not signed by any trust root: ${[...new Set(problems)].join('; ')}`,
      'Add the trust root of its publisher, or upload a repository that one of the trust roots signed.',
    )
  if (new Date(targets.signed.expires) <= now)
    throw refused(`it was valid until ${targets.signed.expires}`, 'Upload a newer release.')
  return targets.signed
}

function refuseOtherFiles(entries: ReadonlyMap<string, Entry>, { targets }: Signed): void {
  const expected = new Set([targetsPath, ...Object.keys(targets).map((name) => `${targetsFolder}${name}`)])
  const other = entryNames(entries).find((name) => !expected.has(name))
  if (other !== undefined) throw refused(`file ${JSON.stringify(other)} is not listed in ${targetsPath}`)
}

async function readArtifacts(
  entries: ReadonlyMap<string, Entry>,
  { targets }: Signed,
): Promise<z.infer<typeof Artifacts>> {
  const listed = Object.hasOwn(targets, artifactsName) ? targets[artifactsName] : undefined
  if (!listed) throw refused(`${targetsPath} does not list ${artifactsName}`)
  const path = `${targetsFolder}${artifactsName}`
  // The hash is verified before the text is used.
  if (listed.length > updateArchiveLimits.metadataBytes)
    throw refused(`${path} is larger than ${updateArchiveLimits.metadataBytes} bytes`)
  await hashFile(entries, path, listed.length, listed.hashes.sha256)
  return readJson(entries, path, Artifacts)
}

function artifactsOf(described: z.infer<typeof Artifacts>, { targets }: Signed): TufArtifactMeta[] {
  const ids = new Set<string>()
  const kinds = new Set<string>()
  const artifacts = described.artifacts.map(({ name, version, kind, target, board, sign }) => {
    const id = JSON.stringify([name, version, kind])
    if (ids.has(id) || kinds.has(kind)) throw refused(`duplicate artifact ${name} ${version} (${kind})`)
    ids.add(id)
    kinds.add(kind)
    const file = Object.hasOwn(targets, target) ? targets[target] : undefined
    if (!file)
      throw refused(
        `artifact ${name} refers to ${JSON.stringify(target)}, which ${targetsPath} does not list`,
      )
    const { hashes, length } = file
    return {
      id: { name, version, kind },
      hash: hashes.sha256,
      size: length,
      board: board ?? null,
      sign: sign ?? null,
    }
  })
  const missing = updateKindNames.filter((kind) => !kinds.has(kind))
  if (missing.length > 0) throw refused(`missing artifacts: ${missing.join(', ')}`)
  return artifacts
}

async function readJson<Schema extends z.ZodType>(
  entries: ReadonlyMap<string, Entry>,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const pieces: Uint8Array[] = []
  await unpack(needFile(entries, path), updateArchiveLimits.metadataBytes, (piece) => void pieces.push(piece))
  let given: unknown
  try {
    given = JSON.parse(await new Blob(pieces as BlobPart[]).text())
  } catch {
    throw refused(`${path} is no JSON`)
  }
  const read = schema.safeParse(given)
  if (!read.success) throw refused(`${path}: ${shapeProblem(read.error)}`)
  return read.data
}

async function hashFile(
  entries: ReadonlyMap<string, Entry>,
  path: string,
  length: number,
  hash: string,
): Promise<void> {
  const sum = sha256.create()
  const size = await unpack(needFile(entries, path), length, (piece) => void sum.update(piece))
  if (size !== length) throw refused(`${path} has ${size} bytes instead of ${length}`)
  if (bytesToHex(sum.digest()) !== hash) throw refused(`${path} does not have the hash ${hash}`)
}

function needFile(entries: ReadonlyMap<string, Entry>, path: string): Entry {
  const entry = entries.get(path)
  if (!entry) throw refused(`file ${path} is missing`)
  return entry
}

/** Read in pieces, because an archive can be larger than the memory. */
const pieceBytes = 1024 * 1024

async function digestOf({ read, size }: Source): Promise<string> {
  const sum = sha256.create()
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = await read(at, Math.min(pieceBytes, size - at))
    if (piece.length === 0) throw unreadable('the archive ended early')
    sum.update(piece)
  }
  return bytesToHex(sum.digest())
}
