import { GiB } from '@gantry/api/base/bytes.rules'
import { nameProblem } from '@gantry/api/base/name.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { blockSizes } from '@gantry/api/storage/disk.rules'
import { ownTagsOf } from '@gantry/api/tags/tag'
import { type Tag, tagLimits } from '@gantry/api/tags/tag.rules'
import type { Description } from '../description.ts'

/** A name of ours that is like a given one. */
export function nameFrom(given: string, otherwise: string): string {
  if (nameProblem(given) === undefined) return given
  const name = given
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return nameProblem(name) === undefined ? name : otherwise
}

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/** Without what PostgreSQL cannot store: the same that requests are refused for. */
const storable = (text: string): string => text.replaceAll(/\0|\p{Surrogate}/gu, '')

/** The tags that users may set: neither those of the platform nor more than an object can have. */
function usableTags(tags: Description['tags']): Description['tags'] {
  const kept: Tag[] = []
  for (const [key, value] of Object.entries(tags).slice(0, tagLimits.tags))
    if (typeof ownTagsOf([...kept, { key, value }]) !== 'string') kept.push({ key, value })
  return Object.fromEntries(kept.map(({ key, value }) => [key, value]))
}

/** Gives each thing a name of its own: the wanted one, or else one that is numbered. */
function distinct(prefix: string): (wanted: string) => string {
  const taken = new Set<string>()
  return (wanted) => {
    let name = wanted
    for (let next = 1; taken.has(name); next++) name = `${prefix}${next}`
    taken.add(name)
    return name
  }
}

/** A description may say anything: what a new instance gets of it is valid. */
export function usable(given: Description): Description {
  const { minMemory, maxMemory, maxCpus } = instanceLimits
  const diskName = distinct('imported-disk')
  const interfaceName = distinct('imported-net')
  return {
    ...given,
    description: storable(given.description),
    tags: usableTags(given.tags),
    name: nameFrom(given.name, 'imported'),
    hostname: nameFrom(given.hostname, nameFrom(given.name, 'imported')),
    ncpus: within(1, given.ncpus, maxCpus),
    memory: within(minMemory, Math.ceil(given.memory / GiB) * GiB, maxMemory),
    disks: given.disks.map((disk, at) => ({
      ...disk,
      name: diskName(nameFrom(disk.name, `disk${at + 1}`)),
      description: storable(disk.description),
      block_size: (blockSizes as readonly number[]).includes(disk.block_size) ? disk.block_size : 512,
      // One boots at most.
      is_boot: disk.is_boot && given.disks.findIndex((one) => one.is_boot) === at,
    })),
    network_interfaces: given.network_interfaces.map((one, at) => {
      const name = interfaceName(nameFrom(one.name, `net${at}`))
      return { ...one, name, description: storable(one.description), is_primary: at === 0 }
    }),
  }
}
