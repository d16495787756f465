import type { Area } from './area.ts'

export const firewall: Area = {
  name: 'firewall and subnets',
  screens: [
    ['VPCs', '/projects/:project/vpcs', true, ['link', '3 firewall rules']],
    ['new VPC', '/projects/:project/vpcs-new', true, ['button', 'Create VPC']],
    ['edit VPC', '/projects/:project/vpcs/default/edit', true, ['button', 'Update VPC']],
    [
      'firewall rules',
      '/projects/:project/vpcs/default/firewall-rules?instance=walker&from=internet&to=instance:walker&packet=tcp:22',
      true,
      ['button', 'Check packet'],
    ],
    ['new firewall rule', '/projects/:project/vpcs/default/firewall-rules-new', true, ['button', 'Add rule']],
    [
      'edit firewall rule',
      '/projects/:project/vpcs/default/firewall-rules/many-filters/edit',
      true,
      ['button', 'Update rule'],
    ],
    [
      'edit firewall rule, with an offered change',
      '/projects/:project/vpcs/default/firewall-rules/many-filters/edit/ip:203.0.113.9',
      true,
      ['button', 'Update rule'],
    ],
    ['subnets', '/projects/:project/vpcs/default/subnets', true, ['link', 'New subnet']],
    ['new subnet', '/projects/:project/vpcs/default/subnets-new', true, ['button', 'Create subnet']],
    [
      'edit subnet',
      '/projects/:project/vpcs/default/subnets/default/edit',
      true,
      ['button', 'Update subnet'],
    ],
    ['VPC map', '/projects/:project/vpcs/default/map', true, ['link', 'walker,']],
    ['VPC map as tables', '/projects/:project/vpcs/default/map?view=table', true, ['link', 'walker']],
  ],
  furnish: async ({ api, project }) => {
    const inVpc = `project=${project}&vpc=default`
    await api('member', 'PUT', `/v1/vpc-firewall-rules?${inVpc}`, {
      rules: [
        {
          name: 'many-filters',
          description: 'a rule with something of everything',
          status: 'enabled',
          direction: 'inbound',
          action: 'allow',
          priority: 300,
          targets: ['walker', 'runner', 'rider'].map((value) => ({ type: 'instance', value })),
          filters: {
            hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }],
            ports: ['22', '8000-8100'],
            protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmp_type: 3, code: '0-4' } }],
          },
        },
        {
          name: 'deny-mail',
          description: '',
          status: 'disabled',
          direction: 'outbound',
          action: 'deny',
          priority: 400,
          targets: [{ type: 'subnet', value: 'default' }],
          filters: { ports: ['25'] },
        },
        {
          name: 'allow-ssh',
          description: '',
          status: 'enabled',
          direction: 'inbound',
          action: 'allow',
          priority: 65_534,
          targets: [{ type: 'vpc', value: 'default' }],
          filters: { ports: ['22'], protocols: [{ type: 'tcp' }] },
        },
      ],
    })
  },
}
