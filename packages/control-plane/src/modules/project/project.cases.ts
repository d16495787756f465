import type { projectOps } from '@gantry/api/people/project'
import { fresh, named } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

export const projectCases: CasesOf<typeof projectOps> = {
  projectList: { sent: {}, rule: openly('list_children', 'silo'), allowed: () => ['/v1/projects'] },
  projectSortedList: {
    sent: {},
    rule: openly('list_children', 'silo'),
    allowed: () => ['/ext/v1/projects?filter=name:a*'],
  },
  projectCreate: {
    sent: { body: named },
    rule: openly('create_child', 'silo'),
    allowed: () => ['/v1/projects', { name: fresh(), description: '' }],
  },
  projectView: {
    sent: { path: { project: 'nobody' } },
    rule: on('read', 'project'),
    allowed: ({ ids }) => [`/v1/projects/${ids.project}`],
    addressed: ['project', 'project', []],
  },
  projectUpdate: {
    sent: { path: { project: 'nobody' }, body: { description: 'x' } },
    rule: on('modify', 'project'),
    allowed: () => ['/v1/projects/atlas', { description: fresh() }],
  },
  projectDelete: {
    sent: { path: { project: 'nobody' } },
    rule: on('modify', 'project'),
    allowed: () => ['/v1/projects/atlas'],
  },
  projectPolicyView: {
    sent: { path: { project: 'nobody' } },
    rule: on('read', 'project'),
    allowed: () => ['/v1/projects/atlas/policy'],
  },
  projectPolicyUpdate: {
    sent: { path: { project: 'nobody' }, body: { role_assignments: [] } },
    rule: on('modify', 'project'),
    allowed: async ({ owner }) => {
      const { role_assignments } = (await owner.get('/v1/projects/atlas/policy')).body
      return ['/v1/projects/atlas/policy', { role_assignments }]
    },
  },
}
