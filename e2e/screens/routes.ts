import type { Area } from './area.ts'

export const routes: Area = {
  name: 'routes and addresses',
  screens: [
    [
      'instance, networking',
      '/projects/:project/instances/walker/networking',
      true,
      ['button', 'Add network interface'],
    ],
    ['routers', '/projects/:project/vpcs/default/routers', true, ['link', 'edge']],
    ['new router', '/projects/:project/vpcs/default/routers-new', true, ['button', 'Create router']],
    ['edit router', '/projects/:project/vpcs/default/routers/edge/edit', true, ['button', 'Update router']],
    ['router', '/projects/:project/vpcs/default/routers/edge', true, ['link', 'New route']],
    ['system router', '/projects/:project/vpcs/default/routers/system', true, ['button', 'New route']],
    [
      'new route',
      '/projects/:project/vpcs/default/routers/edge/routes-new',
      true,
      ['button', 'Create route'],
    ],
    [
      'edit route',
      '/projects/:project/vpcs/default/routers/edge/routes/other-site/edit',
      true,
      ['button', 'Update route'],
    ],
    [
      'route of the system',
      '/projects/:project/vpcs/default/routers/system/routes/default/edit',
      true,
      ['button', 'Update route'],
    ],
    ['internet gateways', '/projects/:project/vpcs/default/internet-gateways', true, ['link', '2 routes']],
    [
      'new internet gateway',
      '/projects/:project/vpcs/default/internet-gateways-new',
      true,
      ['button', 'Create internet gateway'],
    ],
    [
      'internet gateway',
      '/projects/:project/vpcs/default/internet-gateways/default',
      true,
      ['heading', 'Routes targeting this gateway'],
    ],
    ['floating IPs', '/projects/:project/floating-ips', true, ['link', 'walker']],
    ['floating IP', '/projects/:project/floating-ips/buoy', true, ['link', 'walker']],
    ['new floating IP', '/projects/:project/floating-ips-new', true, ['button', 'Create floating IP']],
    ['edit floating IP', '/projects/:project/floating-ips/buoy/edit', true, ['link', 'walker']],
  ],
  furnish: async ({ api, project }) => {
    const inVpc = `project=${project}&vpc=default`
    await api('member', 'POST', `/v1/vpc-routers?${inVpc}`, { name: 'edge', description: 'ways out' })
    for (const [name, target] of [
      ['other-site', { type: 'instance', value: 'walker' }],
      ['same-way', { type: 'drop' }],
    ] as const)
      await api('member', 'POST', `/v1/vpc-router-routes?${inVpc}&router=edge`, {
        name,
        description: '',
        destination: { type: 'ip_net', value: '10.0.0.0/8' },
        target,
      })
  },
}
