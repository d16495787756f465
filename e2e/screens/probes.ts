import type { Area } from './area.ts'

export const probes: Area = {
  name: 'probes',
  screens: [
    ['probes', '/projects/:project/probes', true, ['link', 'GS-001']],
    ['new probe', '/projects/:project/probes-new', true, ['button', 'Create probe']],
  ],
  furnish: async ({ api, project, fill }) => {
    // Names of probes are unique across projects.
    await api('admin', 'POST', `/experimental/v1/probes?project=${project}`, {
      name: `sounder-${project}`,
      description: 'asks from the first sled',
      sled: fill(':sled'),
    })
  },
}
