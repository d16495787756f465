import { fill, inRow, narrow, press, type Overlays, type Step } from './steps.ts'

/** Creates a project with nothing in it: any other is deleted on a page of its own. */
const makeProject: Step = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ name: 'void', description: '' })
    await fetch('/v1/projects', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  })

export const projectsOverlays: Overlays = {
  'kit/forms/UnsavedGuard.tsx': [
    ['/projects-new', 'Confirm navigation', fill('Name', 'half'), press('Cancel')],
  ],
  'routes/_console/_silo/_projects/route.tsx': [
    ['/projects', 'Confirm delete project', makeProject, inRow('void', 'Delete')],
  ],
  'routes/_console/_silo/_projects/projects-new.tsx': [['/projects-new', 'Create project']],
  'routes/_console/_silo/_projects/projects.$project.edit.tsx': [['/projects/:project/edit', 'Edit project']],
  'shell/Frame.tsx': [['/projects', 'Navigation', narrow, press('Open navigation')]],
  'shell/Overlays.tsx': [
    ['/projects', 'Jump to', press('Jump to')],
    ['/projects', 'Jump to', press('Jump to'), fill('Search', 'zzz')],
  ],
}
