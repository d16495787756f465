import type { tagOps } from '@gantry/api/tags/tag'
import { atlas, id, project } from '../../testing/case-values.ts'
import { type CasesOf, listProject, on, openly } from '../../testing/operation-case.ts'

const object = { path: { object_id: id }, query: { kind: 'project' } }
const env = { key: 'env', value: 'prod' }

export const tagCases: CasesOf<typeof tagOps> = {
  tagsView: {
    sent: object,
    rule: on('read', 'project'),
    allowed: ({ ids }) => [`/ext/v1/tags/${ids.project}?kind=project`],
  },
  tagsUpdate: {
    sent: { ...object, body: { tags: [env] } },
    rule: on('modify', 'project'),
    allowed: ({ ids }) => [`/ext/v1/tags/${ids.project}?kind=project`, { tags: [env] }],
  },
  tagsEdit: {
    sent: { body: { edits: [{ kind: 'project', id, set: [env], remove: ['team'] }] } },
    rule: on('modify', 'project'),
    allowed: ({ ids }) => ['/ext/v1/tags', { edits: [{ kind: 'project', id: ids.project, set: [env] }] }],
  },
  tagsList: {
    sent: { query: { kind: 'project', id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/tags?kind=project&id=${ids.project}`],
  },
  tagKeyList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/tag-keys?${atlas}`],
  },
  tagValueList: {
    sent: { query: { ...project, key: 'env' } },
    rule: listProject,
    allowed: () => [`/ext/v1/tag-values?${atlas}&key=env`],
  },
  tagDemandView: {
    sent: {},
    rule: openly('read', 'silo'),
    allowed: () => ['/ext/v1/tag-demand'],
  },
  tagDemandUpdate: {
    sent: { body: { keys: ['env'], kinds: ['vpc'], is_for_all_clients: false } },
    rule: openly('modify', 'silo'),
    allowed: () => ['/ext/v1/tag-demand', { keys: ['env'], kinds: ['vpc'], is_for_all_clients: false }],
  },
}
