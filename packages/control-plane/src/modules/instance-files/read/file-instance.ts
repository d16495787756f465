import { GiB } from '@gantry/api/base/bytes.rules'
import {
  instanceFileDigests,
  type InstanceFileFormat,
  instanceFileName,
  instanceFileTextMax,
  instanceFileVersion,
} from '@gantry/api/compute/instance-file.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { diskMaxSize } from '@gantry/api/storage/disk.rules'
import { type Described, Description } from '../description.ts'
import { usable } from './usable.ts'
import { openDisk, type ReadDisk } from './disk-image.ts'
import { readOvf } from './ovf.ts'
import { entriesOf, type FoundEntry } from './tar.ts'
import { damagedFile, type ImageFile, partOf, readExactly, tooManyDisks, unusable } from './unusable-file.ts'

/** An instance as a file describes it, within the limits of this product. */
export interface FileInstance {
  format: InstanceFileFormat
  description: Description
  /** The image of each disk of the description; undefined for an empty disk. */
  images: (ReadDisk | undefined)[]
  /** The size that each new disk has: whole gibibytes. */
  sizes: number[]
  /** What is checked before anything of a disk is read. */
  digests: { name: string; algorithm: Algorithm; digest: string; entry: FoundEntry }[]
  /** What cannot be kept as it is, in sentences. */
  losses: string[]
}

/** Characters that a refusal repeats of a text that may be as long as the file wants. */
const wordMax = 100

export type Algorithm = 'sha1' | 'sha256' | 'sha512'

/** Reads what a file holds, but for the bytes of its disks. Refuses what no instance can be made of. */
export async function readInstanceFile(file: ImageFile): Promise<FileInstance> {
  const entries = await entriesOf(file)
  const textOf = async ({ offset, size, name }: FoundEntry): Promise<string> => {
    if (size > instanceFileTextMax) throw damagedFile(`${name} is too long`)
    return new TextDecoder().decode(await readExactly(file, offset, size))
  }
  const own = entries.find(({ name }) => name === instanceFileName)
  const ovf = entries.find(({ name }) => name.toLowerCase().endsWith('.ovf'))
  const text = own ?? ovf
  if (!text)
    throw unusable(
      'The file holds no instance: it has neither instance.json nor a description of the type .ovf.',
      'Upload an export of an instance, or an OVA.',
    )
  const {
    description: said,
    files,
    losses,
  } = own ? described(await textOf(own)) : readOvf(await textOf(text))
  const description = usable(said)
  const lostTags = Object.keys(said.tags).filter((key) => !(key in description.tags))
  if (lostTags.length > 0)
    losses.push(`${lostTags.length === 1 ? 'A tag' : `${lostTags.length} tags`} cannot be set.`)
  const list = entries.find(({ name }) =>
    own ? name === instanceFileDigests : name.toLowerCase().endsWith('.mf'),
  )
  if (own && !list) throw damagedFile(`${instanceFileDigests} is missing`)
  const digests = list ? digestsIn(await textOf(list), entries) : []
  const checked = new Set(digests.map(({ name }) => name))
  if (own)
    for (const { name } of entries)
      if (name !== instanceFileDigests && !checked.has(name)) throw damagedFile(`${name} has no digest`)
  const images: FileInstance['images'] = []
  const sizes: number[] = []
  for (const [at, disk] of description.disks.entries()) {
    const name = files[at]
    const entry = entries.find((one) => one.name === name)
    if (name !== undefined && !entry) throw damagedFile(`${name}, the image of a disk, is missing`)
    const image = entry && (await openDisk(disk.name, partOf(file, entry.offset, entry.size)))
    if (image && image.size > Math.ceil(disk.size / GiB) * GiB)
      throw damagedFile(`the image of disk ${disk.name} is larger than its description says`)
    const size = Math.max(1, Math.ceil(disk.size / GiB)) * GiB
    if (size > diskMaxSize)
      throw unusable(`Disk ${disk.name} is larger than a disk can be.`, 'Shrink it, then export it again.')
    if (size !== disk.size)
      losses.push(`Disk ${disk.name} will have ${size / GiB} GiB: disks have whole gibibytes.`)
    images.push(image)
    sizes.push(size)
  }
  return {
    format: own ? 'gantry' : 'ova',
    description,
    images,
    sizes,
    digests,
    losses,
  }
}

function described(text: string): Described {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw damagedFile(`${instanceFileName} is not JSON`)
  }
  const count = (json as { disks?: { length?: unknown } } | null)?.disks?.length
  if (typeof count === 'number' && count > instanceLimits.disks) throw tooManyDisks(count)
  const { success, data, error } = Description.safeParse(json)
  if (!success) {
    const [issue] = error.issues
    const version: unknown = (json as { version?: unknown } | null)?.version
    if (typeof version === 'number' && version > instanceFileVersion)
      throw unusable(
        `The file is of version ${version}, which this server does not read.`,
        'Update this server first.',
      )
    const where = issue?.path.join('.').slice(0, wordMax) ?? ''
    throw damagedFile(`${where} in ${instanceFileName} is not what it can be`)
  }
  return { description: data, files: data.disks.map(({ file }) => file), losses: [] }
}

const lengths = { sha1: 40, sha256: 64, sha512: 128 } as const

/** Lines of `sha256sum`, or of a manifest of OVF: `SHA256(file)= digest`. */
function digestsIn(text: string, entries: readonly FoundEntry[]): FileInstance['digests'] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const named = new Set<string>()
  return lines.map((line) => {
    const [, hex, plain] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
    const [, algorithm, name, digest] =
      /^(SHA(?:1|256|512))\s*\((.+)\)\s*=\s*([0-9a-fA-F]+)\s*$/.exec(line) ?? []
    const found = {
      name: plain ?? name ?? '',
      algorithm: (algorithm?.toLowerCase() ?? 'sha256') as Algorithm,
      digest: (hex ?? digest ?? '').toLowerCase(),
    }
    if (found.digest.length !== lengths[found.algorithm])
      throw damagedFile('its list of digests cannot be read')
    const entry = entries.find((one) => one.name === found.name)
    if (!entry) throw damagedFile(`${found.name.slice(0, wordMax)} is missing`)
    // Each is read whole, so that a file named a thousand times would be read a thousand times.
    if (named.has(found.name)) throw damagedFile(`its list of digests names ${found.name} twice`)
    named.add(found.name)
    return { ...found, entry }
  })
}
