import type { sharedViewOps } from '@gantry/api/views/shared-view'
import { atlas, fresh, id, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  type Given,
  listProject,
  modifyChild,
  readChild,
} from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const at = '/ext/v1/shared-views'
const view = (name: string) => ({ list: 'instances', name, filter: 'state:failed', sort: '', columns: [] })
/** Views are addressed by id alone. */
const freshView = async ({ owner }: PolicyScene): Promise<string> =>
  `${at}/${(await owner.post(`${at}?${atlas}`, view(fresh()))).body.id}`
const path = { shared_view: id }

export const sharedViewCases: CasesOf<typeof sharedViewOps> = {
  sharedViewList: { sent: { query: project }, rule: listProject, allowed: () => [`${at}?${atlas}`] },
  sharedViewCreate: {
    sent: { query: project, body: view('Failed in prod') },
    rule: createInProject,
    allowed: () => [`${at}?${atlas}`, view(fresh())],
  },
  sharedViewView: {
    sent: { path },
    rule: readChild,
    allowed: async (scene) => [await freshView(scene)],
  },
  sharedViewUpdate: {
    sent: { path, body: { name: 'Renamed' } },
    rule: modifyChild,
    allowed: async (scene) => [await freshView(scene), { name: fresh() }],
  },
  sharedViewDelete: {
    sent: { path },
    rule: modifyChild,
    allowed: async (scene) => [await freshView(scene)],
  },
}

export const sharedViewGiven: Given = {
  shared_view: ({ at: query, the: { name } }) => [`${at}?${query}`, view(name)],
}
