import type { Area } from './area.ts'

export const savedPlans: Area = {
  name: 'plans',
  screens: [
    ['plans of a project', '/projects/:project/plans', true, ['link', 'Edit VPC firewall rules']],
    ['plans of the silo', '/plans', true, ['button', 'Four eyes…']],
    ['a saved plan', '/plans/:plan', true, ['button', 'Withdraw']],
  ],
}
