import { z } from 'zod'
import { family, get } from '../op.ts'
import { ByteCount, InProject, Name, named, NameOrId } from '../schema.ts'
import { exportLacks, instanceFileFormats } from './instance-file.rules.ts'

const InstanceFileFormat = named('InstanceFileFormat', z.enum(instanceFileFormats))

const ExportPlan = named(
  'InstanceExportPlan',
  z.object({
    file_name: z.string(),
    /** Of the file: it holds what is written of each disk, without compression. */
    size: ByteCount,
    disks: z.array(z.object({ name: Name, size: ByteCount, /** In the file. */ file_size: ByteCount })),
    /** What the instance had that the file will not hold. */
    left_out: z.array(named('InstanceExportLack', z.enum(exportLacks))),
  }),
)
export type InstanceExportPlan = z.infer<typeof ExportPlan>

const path = z.object({ instance_snapshot: NameOrId })
const query = InProject.extend({ format: InstanceFileFormat.default('gantry') })

export const instanceFileOps = family('extensions', ['instance-snapshot'], {
  instanceExportPlan: get('/ext/v1/instance-snapshots/{instance_snapshot}/export-plan', {
    reads: ['instance-snapshot', 'snapshot'],
    summary: 'Ask for the size and the contents of the file that an export would be',
    path,
    query,
    returns: ExportPlan,
  }),
  instanceExport: get('/ext/v1/instance-snapshots/{instance_snapshot}/export', {
    summary: 'Download an instance as one file: its settings and disks as an instance snapshot holds them',
    path,
    query,
    transport: 'bytes',
  }),
})
