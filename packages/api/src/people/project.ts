import { z } from 'zod'
import { filteredQuery } from '../base/filtered-query.ts'
import { del, family, get, post, put } from '../op.ts'
import { ProjectRolePolicy } from './policy.ts'
import {
  identityCreate,
  IdentityUpdate,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  withIdentity,
} from '../schema.ts'

export const Project = named('Project', withIdentity({}))
export type Project = z.infer<typeof Project>
export const ProjectCreate = named('ProjectCreate', z.object(identityCreate))
export const ProjectUpdate = named('ProjectUpdate', z.object(IdentityUpdate))

const path = z.object({ project: NameOrId })
const ProjectPage = pageOf('Project', Project)

export const projectOps = {
  ...family('extensions', ['project'], {
    projectSortedList: get('/ext/v1/projects', {
      summary: 'List projects sorted and filtered',
      ...filteredQuery('project', {}, {}),
      returns: ProjectPage,
    }),
  }),
  ...family('projects', ['project'], {
    projectList: get('/v1/projects', {
      summary: 'List projects',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: ProjectPage,
    }),
    projectCreate: post('/v1/projects', {
      changes: [
        'project',
        'vpc',
        'vpc-router',
        'router-route',
        'vpc-subnet',
        'vpc-firewall-rule',
        'internet-gateway',
        'internet-gateway-ip-pool',
      ],
      summary: 'Create a project',
      body: ProjectCreate,
      returns: Project,
    }),
    projectView: get('/v1/projects/{project}', {
      revalidates: true,
      summary: 'Fetch a project',
      path,
      returns: Project,
    }),
    projectUpdate: put('/v1/projects/{project}', {
      summary: 'Update a project',
      path,
      body: ProjectUpdate,
      returns: Project,
    }),
    projectDelete: del('/v1/projects/{project}', {
      changes: [
        'project',
        'metric-query',
        'schedule',
        'shared-view',
        'instance-template',
        'service-account',
        'silo-user',
      ],
      summary: 'Delete a project',
      path,
    }),
    projectPolicyView: get('/v1/projects/{project}/policy', {
      summary: "Fetch a project's policy",
      path,
      returns: ProjectRolePolicy,
      reads: ['policy'],
    }),
    projectPolicyUpdate: put('/v1/projects/{project}/policy', {
      changes: ['policy'],
      summary: "Replace a project's policy",
      path,
      body: ProjectRolePolicy,
      returns: ProjectRolePolicy,
    }),
  }),
}
