import type { ExternalSubnet } from '@gantry/api/network/external-subnet'
import { ops } from '@gantry/api/registry'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { implement } from '../../pipeline/implement.ts'
import { need } from '../../lookup/need.ts'
import { listPage } from '../../list/page.ts'
import {
  attachSubnet,
  createSubnet,
  deleteSubnet,
  detachSubnet,
  subnetsOf,
  subnetView,
  updateSubnet,
} from './service.ts'

export const externalSubnetsHttp = implement({
  externalSubnetList: (cx, { query }) =>
    listPage(
      cx,
      'external_subnet',
      query,
      async (at) => ({ where: { project_id: (await need(cx, 'project', at, 'list_children')).row.id } }),
      subnetView,
    ),
  externalSubnetSortedList: (cx, { query }) =>
    filteredPage<'external_subnet', typeof query, ExternalSubnet>(
      cx,
      ops.externalSubnetSortedList,
      'external-subnet',
      query,
      subnetView,
    ),
  externalSubnetCreate: async (cx, { query, body }) => subnetView(await createSubnet(cx, query, body)),
  externalSubnetView: async (cx, { path, query }) =>
    subnetView((await need(cx, 'external_subnet', { ...query, ...path }, 'read')).row),
  externalSubnetUpdate: async (cx, { path, query, body }) =>
    subnetView(await updateSubnet(cx, { ...query, ...path }, body)),
  externalSubnetDelete: (cx, { path, query }) => deleteSubnet(cx, { ...query, ...path }),
  externalSubnetAttach: async (cx, { path, query, body }) =>
    subnetView(await attachSubnet(cx, { ...query, ...path }, body.instance)),
  externalSubnetDetach: async (cx, { path, query }) =>
    subnetView(await detachSubnet(cx, { ...query, ...path })),

  instanceExternalSubnetList: async (cx, { path, query }) => {
    const { row: instance } = await need(cx, 'instance', { ...query, ...path }, 'read')
    return { items: (await subnetsOf(cx.db, instance.id)).map(subnetView), next_page: null }
  },
})
