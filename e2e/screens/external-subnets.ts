import type { Area } from './area.ts'

const list = '/projects/:project/external-subnets'

export const externalSubnets: Area = {
  name: 'external subnets',
  screens: [
    ['external subnets', list, true, ['link', 'ferry']],
    ['external subnets of all projects', '/all/external-subnets', true, ['tabpanel', 'External subnets']],
    ['external subnet', `${list}/shoal`, true, ['tabpanel', 'Activity']],
    ['new external subnet', `${list}-new`, true, ['button', 'Create external subnet']],
    ['edit external subnet', `${list}/shoal/edit`, true, ['button', 'Update external subnet']],
  ],
  furnish: async ({ api, project }) => {
    const at = `project=${project}`
    for (const name of ['shoal', 'sandbank'])
      await api('member', 'POST', `/v1/external-subnets?${at}`, {
        name,
        description: 'routed to the ferry',
        allocator: { type: 'auto', prefix_length: 29 },
      })
    // One that is stopped, because nothing attaches while an instance starts.
    await api('member', 'POST', `/v1/instances?${at}`, {
      name: 'ferry',
      description: '',
      hostname: 'ferry',
      ncpus: 1,
      memory: 1024 ** 3,
      start: false,
    })
    await api('member', 'POST', `/v1/external-subnets/shoal/attach?${at}`, { instance: 'ferry' })
  },
}
