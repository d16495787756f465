import { newUpload } from '../../testing/case-values.ts'
import type { Caller, TestBed } from '../../testing/control-plane.ts'
import { tarWithDigests, textEntry } from './write/tar.ts'

/** An OVF envelope of a machine with one empty disk. */
const envelope = `<Envelope><DiskSection><Disk diskId="a" capacity="1"/></DiskSection><VirtualSystem>
  <VirtualHardwareSection><Item><ResourceType>17</ResourceType><HostResource>/disk/a</HostResource></Item>
  </VirtualHardwareSection></VirtualSystem></Envelope>`

/** An OVA of an envelope, with its digest. */
export const ovaOf = (ovf = envelope) =>
  tarWithDigests(
    [textEntry('a.ovf', ovf)],
    { name: 'a.mf', line: (name, hex) => `SHA256(${name})= ${hex}\n` },
    new Date(0),
  )

interface By {
  owner: Pick<Caller, 'post'>
  bed: Pick<TestBed, 'db' | 'blocks'>
}

/** The id of an upload of an OVA, whose bytes are there. */
export async function wholeUpload({ owner, bed }: By, at: string, name: string): Promise<string> {
  const { size, pieces } = ovaOf()
  const body = { ...newUpload(name), size, purpose: 'instance' }
  const { id: upload } = (await owner.post(`/ext/v1/image-uploads?${at}`, body)).body
  const ranges = [{ offset: 0, length: size }]
  await owner.post(`/ext/v1/image-uploads/${upload}/zeros`, { ranges })
  const { content_id } = await bed.db
    .selectFrom('image_upload')
    .select('content_id')
    .where('id', '=', upload)
    .executeTakeFirstOrThrow()
  let offset = 0
  for await (const piece of pieces()) {
    await bed.blocks.write(content_id, offset, piece)
    offset += piece.length
  }
  return upload
}
