import type { Hardware } from '@gantry/api/storage/hardware.rules'
import { sees } from '../../lookup/location.ts'
import type { DiskCreate, DiskSource } from '@gantry/api/storage/disk'
import {
  diskSizeProblem,
  type DiskTypeName,
  localBlockSize,
  localDiskSizeProblem,
  readOnlySizeProblem,
} from '@gantry/api/storage/disk.rules'
import type { Scope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need } from '../../lookup/need.ts'
import { invalid, invalidValue, notFound } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { dataDiskSize } from '../hardware/parts.ts'
import { bootRecordOf, hardwareOf } from './hardware/image-hardware.ts'
import { refuseWithoutRoom } from './content-references.ts'

/** The validated source of a new disk's bytes. */
export interface Origin {
  block_size: number
  snapshot_id: string | null
  image_id: string | null
  /** Initial contents; undefined for an empty disk. */
  content_id: string | undefined
  /** What machines have that boot from it; null for what is usual. */
  hardware: Hardware | null
  importing: boolean
  read_only: boolean
  disk_type: DiskTypeName
}

const blank = (block_size: number, importing: boolean): Origin => ({
  block_size,
  snapshot_id: null,
  image_id: null,
  content_id: undefined,
  hardware: null,
  importing,
  read_only: false,
  disk_type: 'distributed',
})

const contentsOf = ({
  block_size,
  content_id,
  hardware,
}: Pick<Row<'snapshot'>, 'block_size' | 'content_id' | 'hardware'>): Origin => ({
  ...blank(block_size, false),
  content_id,
  hardware,
})

type Wanted = Pick<DiskCreate, 'size' | 'disk_backend'>

/** Resolves a disk's source and checks its size, in the reference's order (B 6.3). */
export async function checkSource(cx: Cx, scope: Scope, { size, disk_backend }: Wanted): Promise<Origin> {
  if (disk_backend.type === 'local') return localOrigin(cx, size)
  const origin = await originOf(cx, scope, size, disk_backend.disk_source)
  const problem = diskSizeProblem(size, origin.block_size)
  if (problem) throw invalidValue(problem.label, problem.reason)
  return origin
}

/** The same for a disk that is to be created now. */
export async function resolveSource(cx: Cx, scope: Scope, wanted: Wanted): Promise<Origin> {
  const origin = await checkSource(cx, scope, wanted)
  if (origin.content_id !== undefined)
    await refuseWithoutRoom(cx.services, cx.services.blocks, origin.content_id)
  return origin
}

/** An empty disk on the sled of its instance. */
async function localOrigin(cx: Cx, size: number): Promise<Origin> {
  needCapability(cx.services.fleet, 'local_disks')
  const problem = localDiskSizeProblem(size, dataDiskSize)
  if (problem) throw invalidValue(problem.label, problem.reason)
  return { ...blank(localBlockSize, false), disk_type: 'local' }
}

async function originOf(cx: Cx, scope: Scope, size: number, source: DiskSource): Promise<Origin> {
  switch (source.type) {
    case 'blank':
      return blank(source.block_size, false)
    case 'importing_blocks':
      return blank(source.block_size, true)
    case 'snapshot': {
      const { row } = await need(cx, 'snapshot', { snapshot: source.snapshot_id }, 'read')
      if (row.project_id !== scope.project_id) throw invalid('snapshot does not belong to this project')
      if (row.state !== 'ready')
        throw invalid(`snapshot is in state ${row.state}`, 'Wait until the snapshot is ready.')
      refuseSize(size, source, row.size)
      // Of a disk that was installed, or written by an import, only its bytes say how it boots.
      const hardware =
        row.hardware ?? hardwareOf({ hardware: null, boot_record: await bootRecordOf(cx.services, row) })
      return { ...contentsOf({ ...row, hardware }), snapshot_id: row.id, read_only: source.read_only }
    }
    case 'image': {
      const row = await findImageForDisk(cx, scope, source.image_id)
      if (row.project_id !== null && row.project_id !== scope.project_id)
        throw invalid('image does not belong to this project')
      refuseSize(size, source, row.size)
      return {
        ...contentsOf({ ...row, hardware: hardwareOf(row) }),
        image_id: row.id,
        read_only: source.read_only,
      }
    }
    default:
      return source satisfies never
  }
}

/**
 * A silo image may be used in every project of the silo. A project's image is visible to callers who may read
 * that project; whether it may be used here is checked elsewhere.
 */
async function findImageForDisk(cx: Cx, { silo_id }: Scope, id: string) {
  const row = await cx.db
    .selectFrom('image')
    .selectAll()
    .where('id', '=', id)
    .where('silo_id', '=', silo_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row || (row.project_id !== null && !sees(cx, 'image', row))) throw notFound('image', { id })
  return row
}

/** A disk is as large as its source or larger; one that cannot be written is exactly as large. */
function refuseSize(
  size: number,
  { type, read_only }: { type: 'snapshot' | 'image'; read_only: boolean },
  least: number,
): void {
  const problem = read_only ? readOnlySizeProblem(size, type, least) : undefined
  if (problem) throw invalid(problem, 'Give the disk the size of its source.')
  if (least > size)
    throw invalid(
      `disk size ${size} must be greater than or equal to ${type} size ${least}`,
      'Make the disk larger.',
    )
}
