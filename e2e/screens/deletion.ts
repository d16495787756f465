import type { Area } from './area.ts'

export const deletion: Area = {
  name: 'deletions',
  screens: [
    ['delete project', '/projects/:project/delete', true, ['button', 'Delete project']],
    ['delete VPC', '/projects/:project/vpcs/default/delete', true, ['button', 'Delete VPC']],
    ['delete silo', '/system/silos/demo/delete', true, ['button', 'Delete silo']],
    ['delete IP pool', '/system/networking/ip-pools-delete/external', true, ['button', 'Delete IP pool']],
  ],
}
