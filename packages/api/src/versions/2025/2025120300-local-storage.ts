import { type Dated, enumeration, omitted, ref, reshaped, Untranslatable, variants } from '../dated.ts'

/** Disks got a backend, which has their source within it; before, all were distributed. */
export const localStorage: Dated = {
  version: 2025120300,
  types: {
    DiskType: enumeration(['crucible'], (type) => {
      if (type !== 'local') return 'crucible'
      throw new Untranslatable(406, 'Not Acceptable', 'disks with local storage are unknown to this version')
    }),
    DiskCreate: { schema: (newer) => reshaped(newer, ['disk_backend'], source), up: backendUp },
    InstanceDiskAttachment: {
      schema: (newer) =>
        variants(newer, (one, type) => [type === 'create' ? reshaped(one, ['disk_backend'], source) : one]),
      up: (older) => (older['type'] === 'create' ? backendUp(older) : older),
    },
  },
}

const source = { disk_source: ref('DiskSource') }

function backendUp(disk: Record<string, unknown>): Record<string, unknown> {
  const { disk_source } = disk
  if (disk_source === undefined) return disk
  return { ...omitted(disk, ['disk_source']), disk_backend: { type: 'distributed', disk_source } }
}
