import { inRowWith, type Overlays } from './steps.ts'

export const probesOverlays: Overlays = {
  'routes/_console/projects/$project/_probes/route.tsx': [
    ['/projects/:project/probes', 'Confirm delete probe', inRowWith('sounder', 'Delete')],
  ],
  'routes/_console/projects/$project/_probes/probes-new.tsx': [
    ['/projects/:project/probes-new', 'Create probe'],
  ],
}
