import { updateKinds, type UpdateKind, updateKindNames } from '@gantry/api/system/update.rules'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { artifactsName, targetsFolder, targetsPath } from './archive.ts'
import { canonicalJson } from './canonical-json.ts'
import { keyIdOf, type RootRole } from './roles.ts'

/** A signing key, and its description for root roles. */
export interface SigningKey {
  /** 32 bytes. */
  secret: Uint8Array
  id: string
  key: RootRole['signed']['keys'][string]
}

export function signingKey(secret: Uint8Array): SigningKey {
  const keyval = { public: bytesToHex(ed25519.getPublicKey(secret)) }
  const key = { keytype: 'ed25519' as const, scheme: 'ed25519' as const, keyval }
  return { secret, id: keyIdOf(key), key }
}

const utf8 = new TextEncoder()

/** A document with the signatures of the keys. */
export function signWith<Signed>(
  keys: readonly SigningKey[],
  signed: Signed,
): { signed: Signed; signatures: { keyid: string; sig: string }[] } {
  const bytes = utf8.encode(canonicalJson(signed) ?? '')
  return {
    signed,
    signatures: keys.map(({ id, secret }) => ({ keyid: id, sig: bytesToHex(ed25519.sign(bytes, secret)) })),
  }
}

/** A root role whose only key signs itself and repositories. */
export function rootRoleOf(key: SigningKey, expires: Date): RootRole {
  const role = { keyids: [key.id], threshold: 1 }
  return signWith([key], {
    _type: 'root' as const,
    spec_version: '1.0.31',
    consistent_snapshot: true,
    version: 1,
    expires: wholeSeconds(expires),
    keys: { [key.id]: key.key },
    roles: { root: role, targets: role },
  })
}

/** As in The Update Framework, times have no fractions. */
const wholeSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

interface NewArtifact {
  name: string
  version: string
  kind: UpdateKind
  bytes: Uint8Array
}

/** Placeholders for the software of a release, one of each kind. The simulated rack runs none of it. */
export const sampleArtifacts = (version: string): NewArtifact[] =>
  updateKindNames.map((kind) => ({
    name: kind.replaceAll('_', '-'),
    version,
    kind,
    bytes: utf8.encode(`${updateKinds[kind].label} (${kind}), release ${version}\n`),
  }))

export interface NewRepository {
  version: string
  key: SigningKey
  expires: Date
  artifacts?: readonly NewArtifact[]
}

/** The files of a signed repository, by path. */
export function repositoryFiles({
  version,
  key,
  expires,
  artifacts,
}: NewRepository): Map<string, Uint8Array> {
  const given = artifacts ?? sampleArtifacts(version)
  const described = given.map(({ bytes: _bytes, ...id }) => ({
    ...id,
    target: `${id.kind}-${id.version}.bin`,
  }))
  const listed = new Map<string, Uint8Array>([
    [artifactsName, json({ system_version: version, artifacts: described })],
    ...given.map(({ kind, version: own, bytes }) => [`${kind}-${own}.bin`, bytes] as const),
  ])
  const targets = Object.fromEntries(
    [...listed].map(([name, bytes]) => [
      name,
      { length: bytes.length, hashes: { sha256: bytesToHex(sha256(bytes)) } },
    ]),
  )
  const signed = {
    _type: 'targets',
    spec_version: '1.0.31',
    version: 1,
    expires: wholeSeconds(expires),
    targets,
  }
  return new Map([
    [targetsPath, json(signWith([key], signed))],
    ...[...listed].map(([name, bytes]) => [`${targetsFolder}${name}`, bytes] as const),
  ])
}

const json = (value: unknown): Uint8Array => utf8.encode(`${JSON.stringify(value, null, 2)}\n`)

export async function zipFiles(
  files: ReadonlyMap<string, Uint8Array>,
  time?: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [name, bytes] of files)
    await writer.add(name, new Uint8ArrayReader(bytes), time ? { lastModDate: time } : {})
  return new Uint8Array(await writer.close())
}

/** The archive of a signed repository. */
export const makeRepository = async (given: NewRepository): Promise<Uint8Array<ArrayBuffer>> =>
  zipFiles(repositoryFiles(given))
