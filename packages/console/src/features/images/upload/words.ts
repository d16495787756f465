import type { Phase } from './task.ts'

export const percentOf = (bytes: number, size: number): number =>
  size === 0 ? 0 : Math.round((bytes / size) * 100)

export const phaseWords: Record<Phase, string> = {
  running: 'Uploading',
  paused: 'Paused:',
  waiting: 'Waiting for the server:',
  cleaning: 'Cleaning up:',
  failed: 'Failed:',
  cancelled: 'Cancelled:',
  done: 'Uploaded',
}
