import type { instanceFileOps } from '@gantry/api/compute/instance-file'
import { atlas, fresh, id, newUpload, project } from '../../testing/case-values.ts'
import { type CasesOf, createInProject, modifyChild } from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'
import { freshSnapshot } from '../instance-snapshots/instance-snapshot.cases.ts'
import { tarWithDigests, textEntry } from './write/tar.ts'

/** An OVA of a machine with one empty disk. */
const ovf = `<Envelope><DiskSection><Disk diskId="a" capacity="1"/></DiskSection><VirtualSystem>
  <VirtualHardwareSection><Item><ResourceType>17</ResourceType><HostResource>/disk/a</HostResource></Item>
  </VirtualHardwareSection></VirtualSystem></Envelope>`

/** The id of an upload of that file, whose bytes are there. */
async function wholeUpload({ owner, bed }: Pick<PolicyScene, 'owner' | 'bed'>): Promise<string> {
  const last = { name: 'a.mf', line: (name: string, hex: string) => `SHA256(${name})= ${hex}\n` }
  const { size, pieces } = tarWithDigests([textEntry('a.ovf', ovf)], last, new Date(0))
  const body = { ...newUpload(fresh()), size, purpose: 'instance' }
  const { id: upload } = (await owner.post(`/ext/v1/image-uploads?${atlas}`, body)).body
  const ranges = [{ offset: 0, length: size }]
  await owner.post(`/ext/v1/image-uploads/${upload}/zeros`, { ranges })
  const { content_id } = await bed.db
    .selectFrom('image_upload')
    .select('content_id')
    .where('id', '=', upload)
    .executeTakeFirstOrThrow()
  let at = 0
  for await (const piece of pieces()) {
    await bed.blocks.write(content_id, at, piece)
    at += piece.length
  }
  return upload
}

const sent = { path: { instance_snapshot: 'nobody' }, query: { ...project, format: 'gantry' } }

export const instanceFileCases: CasesOf<typeof instanceFileOps> = {
  instanceExportPlan: {
    sent,
    rule: createInProject,
    allowed: async ({ made }) => [
      `/ext/v1/instance-snapshots/${await freshSnapshot(made)}/export-plan?${atlas}`,
    ],
  },
  instanceExport: {
    sent,
    rule: createInProject,
    allowed: async ({ made }) => [`/ext/v1/instance-snapshots/${await freshSnapshot(made)}/export?${atlas}`],
  },
  instanceImportPlan: {
    sent: { path: { upload: id } },
    rule: modifyChild,
    allowed: async (scene) => [`/ext/v1/image-uploads/${await wholeUpload(scene)}/instance`],
  },
  instanceImport: {
    sent: { path: { upload: id }, body: { name: 'web' } },
    rule: modifyChild,
    allowed: async (scene) => [
      `/ext/v1/image-uploads/${await wholeUpload(scene)}/instance`,
      { name: fresh() },
    ],
  },
}
