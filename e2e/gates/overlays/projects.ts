import { fill, inRow, narrow, press, type Overlays } from './steps.ts'

export const projectsOverlays: Overlays = {
  'kit/forms/UnsavedGuard.tsx': [
    ['/projects-new', 'Confirm navigation', fill('Name', 'half'), press('Cancel')],
  ],
  'routes/_console/_silo/_projects/route.tsx': [
    ['/projects', 'Confirm delete project', inRow('playground', 'Delete')],
  ],
  'routes/_console/_silo/_projects/projects-new.tsx': [['/projects-new', 'Create project']],
  'routes/_console/_silo/_projects/projects.$project.edit.tsx': [['/projects/:project/edit', 'Edit project']],
  'shell/Frame.tsx': [['/projects', 'Navigation', narrow, press('Open navigation')]],
  'shell/Overlays.tsx': [
    ['/projects', 'Jump to', press('Jump to')],
    ['/projects', 'Jump to', press('Jump to'), fill('Search', 'zzz')],
  ],
}
