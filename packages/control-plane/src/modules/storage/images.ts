import type { Image } from '@gantry/api/storage/image'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needOwnSilo } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { resourceView } from '../../lookup/views.ts'
import { hardwareOf } from './hardware/image-hardware.ts'

export function imageView(row: Row<'image'>): Image {
  const { project_id, os, version, digest, size, source_url, source_sha256 } = row
  const block_size = row.block_size as Image['block_size']
  const source =
    source_url === null || source_sha256 === null ? undefined : { url: source_url, sha256: source_sha256 }
  const hardware = { ...hardwareOf(row), boot_record: row.boot_record }
  return resourceView(row, {
    project_id,
    os,
    version,
    digest,
    block_size,
    size,
    ...(source && { source }),
    hardware,
    cd: row.cd,
  })
}

/** With a project only its own images, without one only the silo's (control plane reference, B 8.2). */
export function listImages(cx: Cx, query: ListQuery) {
  return listPage(
    cx,
    'image',
    query,
    async (selectors) => {
      if (selectors.project) {
        const { row } = await need(cx, 'project', selectors, 'list_children')
        return { where: { project_id: row.id } }
      }
      const { silo_id } = needOwnSilo(cx, 'list_children', 'siloImage')
      return { where: { silo_id, project_id: null } }
    },
    imageView,
  )
}
