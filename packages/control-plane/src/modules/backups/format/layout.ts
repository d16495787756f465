import { MiB } from '@gantry/api/base/bytes.rules'
import { z } from 'zod'

/*
 * What a target holds, by name:
 *   gantry-backups                 what it is, whose it is, and a check of its key; the only object in plain text
 *   chunks/ab/abcdef…              a piece of a disk, which any number of backups share
 *   index/<backup>/<disk>/<page>   the names of the chunks of a disk, 1024 in each page
 *   manifests/<time>-<backup>      everything else of a backup; written last, and without it there is no backup
 */

/** Bytes of a disk in one chunk, as in the block store, which knows its holes by them; the last one may be shorter. */
export const chunkBytes = MiB
export const chunksPerPage = 1024
/** Bytes of a chunk's name in a page; all are zero for a chunk of zeros, which is not stored. */
export const digestBytes = 32

export const markerName = 'gantry-backups'
export const chunkPrefix = 'chunks/'
export const manifestPrefix = 'manifests/'

export const chunkName = (digest: string): string => `${chunkPrefix}${digest.slice(0, 2)}/${digest}`
export const indexPrefix = (backupId: string): string => `index/${backupId}/`
export const pageName = (backupId: string, disk: number, page: number): string =>
  `${indexPrefix(backupId)}${String(disk).padStart(3, '0')}/${String(page).padStart(6, '0')}`

/** In the order of time. */
export const manifestName = ({ id, time_taken }: { id: string; time_taken: Date }): string =>
  `${manifestPrefix}${time_taken.toISOString().replace(/\D/g, '')}-${id}`

/** The id of the backup that a manifest describes. */
export const idInManifestName = (name: string): string => name.slice(-36)

export const pagesOf = (size: number): number => Math.ceil(size / chunkBytes / chunksPerPage)

/** Upper bounds of what is read. */
export const largest = { chunk: chunkBytes + 64, page: chunksPerPage * digestBytes + 64, manifest: 4 * MiB }

export const Marker = z.object({
  format: z.literal(1),
  /** The target of an installation; a later one that was given the key takes the target over. */
  owner: z.string(),
  check: z.string(),
})

const Place = z.object({ id: z.string(), name: z.string() })

/** Loose: what a later version adds is kept. */
export const Manifest = z.object({
  format: z.literal(1),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  time_created: z.string(),
  time_taken: z.string(),
  instance: Place,
  project: Place,
  silo: Place,
  consistency: z.enum(['stopped', 'consistent', 'power_cut']).nullable(),
  size: z.number(),
  disks: z
    .array(
      z.looseObject({
        disk_id: z.string(),
        name: z.string(),
        description: z.string(),
        size: z.number(),
        block_size: z.number(),
        slot: z.number(),
        is_boot: z.boolean(),
        read_only: z.boolean(),
        hardware: z.unknown(),
      }),
    )
    .max(64),
  settings: z.looseObject({}),
  user_data: z.string(),
})
export type Manifest = z.infer<typeof Manifest>
