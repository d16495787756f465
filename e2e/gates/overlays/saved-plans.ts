import { fill, press, type Overlays, type Step } from './steps.ts'

/** A plan as a recording writes it, with something to fill in. */
const planFile = {
  gantry_plan: 1,
  server: 'https://elsewhere.example',
  ids: [{ name: 'silo_user_anna', about: 'silo-user anna', id: '3e2c6e84-bed8-4c94-afc3-103200000001' }],
  steps: [
    {
      operation: 'projectCreate',
      method: 'POST',
      path: '/v1/projects',
      params: {},
      query: {},
      body: { name: 'atlas', description: '' },
      tags: [],
      gives: { name: 'project_atlas', field: 'id' },
    },
    { note: 'Here go the bytes of a file (imageUploadWrite). gantry cp uploads a whole file as an image.' },
    {
      operation: 'projectPolicyUpdate',
      method: 'PUT',
      path: '/v1/projects/{project}/policy',
      params: { project: { $from: 'project_atlas' } },
      query: {},
      body: {
        role_assignments: [
          {
            identity_type: 'silo_user',
            identity_id: { $from: 'silo_user_anna' },
            role_name: 'viewer',
            password: { $secret: 'PASSWORD' },
          },
        ],
      },
      tags: [],
    },
  ],
}

const choosePlan: Step = (page) =>
  page.getByLabel('Plan', { exact: true }).setInputFiles({
    name: 'recorded-plan.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(planFile)),
  })

export const savedPlansOverlays: Overlays = {
  'features/saved-plans/FourEyesDialog.tsx': [['/plans', 'Four eyes', press('Four eyes…')]],
  'features/recording/PlanFileDialog.tsx': [['/plans', 'Run a recorded plan', press('Run a recorded plan…')]],
  'features/recording/PlanDialog.tsx': [
    ['/plans', 'Plan: 3 steps', press('Run a recorded plan…'), choosePlan],
  ],
  'kit/plan/ReviewDialog.tsx': [
    [
      '/projects/:project/vpcs/default/firewall-rules/allow-ssh/edit',
      'Review: edit rule',
      fill('Priority', '11'),
      press('Review'),
    ],
  ],
}
