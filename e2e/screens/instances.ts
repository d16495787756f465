import type { Area } from './area.ts'

export const instances: Area = {
  name: 'projects and instances',
  screens: [
    ['projects', '/projects', true, ['heading', 'Your last activity']],
    ['new project', '/projects-new', true, ['button', 'Create project']],
    ['edit project', '/projects/:project/edit', true, ['button', 'Update project']],
    ['instances', '/projects/:project/instances', true, ['checkbox', 'Select walker']],
    [
      'instances, none found',
      '/projects/:project/instances?name=other',
      true,
      ['heading', 'Nothing matches'],
    ],
    ['new instance', '/projects/:project/instances-new', true, ['heading', 'Quota headroom']],
    ['clone an instance', '/projects/:project/instances-new?from=walker', true, ['heading', 'Capacity']],
    ['import instance', '/projects/:project/instances-import', true, ['button', 'Choose file']],
    ['templates', '/projects/:project/templates', true, ['link', 'web-server']],
    ['template', '/projects/:project/templates/web-server', true, ['link', 'Use template']],
    [
      'edit template',
      '/projects/:project/templates/web-server/edit',
      true,
      ['button', 'Update instance template'],
    ],
    [
      'new instance of a template',
      '/projects/:project/instances-new?template=web-server',
      true,
      ['heading', 'Quota headroom'],
    ],
    ['silo templates', '/templates', true, ['heading', 'Silo templates']],
    ['silo template', '/templates/everywhere-:project', true, ['button', 'Instance template actions']],
    [
      'edit silo template',
      '/templates/everywhere-:project/edit',
      true,
      ['button', 'Update instance template'],
    ],
    ['instance, connect', '/projects/:project/instances/walker/connect', true, ['heading', 'SSH']],
    [
      'instance, CPU metrics',
      '/projects/:project/instances/walker/metrics/cpu',
      true,
      ['heading', 'CPU Utilization: Running'],
    ],
    [
      'instance, disk metrics',
      '/projects/:project/instances/walker/metrics/disk',
      true,
      ['heading', 'Disk Flushes'],
    ],
    [
      'instance, network metrics',
      '/projects/:project/instances/walker/metrics/network',
      true,
      ['heading', 'Packets Dropped'],
    ],
    ['instance, settings', '/projects/:project/instances/walker/settings', true, ['link', 'apart']],
    [
      'serial console',
      '/projects/:project/instances/walker/serial-console',
      true,
      ['button', 'Scroll to bottom'],
    ],
    ['screen', '/projects/:project/instances/walker/screen', true, ['button', 'View only']],
    ['affinity groups', '/projects/:project/affinity', true, ['link', 'apart']],
    ['new affinity group', '/projects/:project/affinity-new', true, ['button', 'Add group']],
    ['affinity group', '/projects/:project/affinity/apart', true, ['link', 'walker']],
    ['edit affinity group', '/projects/:project/affinity/apart/edit', true, ['button', 'Edit group']],
    ['affinity groups, same sled', '/projects/:project/affinity-groups', true, ['link', 'together']],
    [
      'new affinity group, same sled',
      '/projects/:project/affinity-groups-new',
      true,
      ['button', 'Add group'],
    ],
    [
      'affinity group, same sled',
      '/projects/:project/affinity-groups/together',
      true,
      ['button', 'Add instance'],
    ],
    [
      'edit affinity group, same sled',
      '/projects/:project/affinity-groups/together/edit',
      true,
      ['button', 'Edit group'],
    ],
  ],
  furnish: async ({ api, project }) => {
    const hardware = { ncpus: 2, memory: 8 * 1024 ** 3 }
    await api('member', 'POST', `/ext/v1/instance-templates?project=${project}`, {
      name: 'web-server',
      description: 'behind the balancer',
      settings: {
        hardware,
        network_interfaces: {
          type: 'create',
          params: [{ name: 'eth0', description: '', vpc: 'default', subnet: 'default' }],
        },
        tags: [{ key: 'env', value: 'prod' }],
      },
      fixed: ['hardware', 'network_interfaces'],
    })
    const name = `everywhere-${project}`
    await api('admin', 'POST', '/ext/v1/instance-templates', {
      name,
      description: '',
      settings: { hardware },
    })
  },
}
