import { describe, expect, test } from 'vitest'
import { endOf, nextStep, type Step } from './next-step.ts'
import { type MachineRecord, newRecord, reporting } from './record.ts'

const now = new Date('2026-11-25T12:00:00Z')
const later = new Date(now.getTime() + 60_000).toISOString()
const started = { pid: 5, started: '1', boot: 'b1' }
const running: MachineRecord = {
  ...reporting(newRecord(undefined, now), { state: 'running', by_guest: false, reason: null }, now),
  process: started,
}
const stopping: MachineRecord = { ...running, stop: { asked_at: now.toISOString(), deadline: later } }
const overdue: MachineRecord = {
  ...running,
  stop: { asked_at: now.toISOString(), deadline: now.toISOString() },
}
const leaving: MachineRecord = { ...running, leaving: { deadline: later } }
const asked: MachineRecord = { ...running, reboots: 1, reboot: 'asked' }
const paused: MachineRecord = { ...running, reboots: 1, reboot: 'paused' }

/** A step in one word; the end of a machine by its state and reason. */
const word = (step: Step): string =>
  step.do === 'end'
    ? [step.end.state, step.end.by_guest ? 'by guest' : '', step.end.reason?.code].filter(Boolean).join(' ')
    : step.do

describe('the next step', () => {
  test.each([
    ['a new machine', newRecord(undefined, now), 'prelaunch', 'continue'],
    ['a running one', running, 'running', 'run'],
    ['one that an operator paused', running, 'paused', 'continue'],
    ['one without space', running, 'io-error', 'await-space'],
    ['one whose guest shut down', running, 'shutdown', 'stopped by guest'],
    ['one whose guest panicked', running, 'guest-panicked', 'failed guest_panicked'],
    ['one that QEMU gave up', running, 'internal-error', 'failed machine_broken'],
    ['one to stop', stopping, 'running', 'press'],
    ['one to stop that is paused', stopping, 'paused', 'continue'],
    ['one to stop that has not run', stopping, 'prelaunch', 'stopped'],
    ['one to stop without space', stopping, 'io-error', 'await-space'],
    ['one that stopped', stopping, 'shutdown', 'stopped'],
    ['one that panics while it stops', stopping, 'guest-panicked', 'stopped'],
    ['one past its deadline', overdue, 'running', 'stopped'],
    ['one past its deadline without space', overdue, 'io-error', 'stopped'],
    ['one whose host shuts down', leaving, 'running', 'press'],
    ['one whose host shuts down, paused', leaving, 'paused', 'continue'],
    ['one whose host shuts down, before its guest ran', leaving, 'prelaunch', 'failed host_shut_down'],
    ['one that shut down with its host', leaving, 'shutdown', 'failed host_shut_down'],
    ['one that panics while its host shuts down', leaving, 'guest-panicked', 'failed host_shut_down'],
    [
      'one that takes longer than its host waits',
      { ...running, leaving: { deadline: now.toISOString() } },
      'running',
      'failed host_shut_down',
    ],
    ['one to stop while its host shuts down', { ...leaving, stop: stopping.stop }, 'shutdown', 'stopped'],
    ['one to reboot', asked, 'running', 'pause'],
    ['one that was paused for that, but not recorded', asked, 'paused', 'pause'],
    ['one that is paused for that', paused, 'paused', 'reset'],
    ['one that was reset', paused, 'prelaunch', 'continue'],
    ['one that runs again', paused, 'running', 'run'],
    ['one to reboot whose guest shut down', asked, 'shutdown', 'stopped by guest'],
    ['one to reboot and to stop', { ...stopping, reboot: 'asked' as const }, 'running', 'press'],
    ['one to reboot and to stop, paused', { ...stopping, reboot: 'paused' as const }, 'paused', 'continue'],
  ] as const)('about %s: %#', (_, record, status, expected) => {
    expect(word(nextStep(record, status, { now, isFull: false }))).toBe(expected)
  })

  test.each([
    ['a running one', running, 'running', 'hold'],
    ['one that is held', running, 'paused', 'await-space'],
    ['one to reboot', asked, 'running', 'hold'],
    ['one that has not run', newRecord(undefined, now), 'prelaunch', 'continue'],
    ['one to stop', stopping, 'running', 'press'],
    ['one to stop that was held', stopping, 'paused', 'continue'],
    ['one that shut down', running, 'shutdown', 'stopped by guest'],
  ] as const)('on a full volume about %s: %#', (_, record, status, expected) => {
    expect(word(nextStep(record, status, { now, isFull: true }))).toBe(expected)
  })

  test('a decided end is final', () => {
    const end = { state: 'failed', by_guest: false, reason: null } as const
    expect(nextStep({ ...stopping, end }, 'running', { now, isFull: true })).toEqual({ do: 'end', end })
  })
})

describe('a machine whose process is gone', () => {
  test.each([
    ['crashed', running, 'b1', 'failed machine_crashed'],
    ['ended with its host', running, 'b2', 'failed host_restarted'],
    ['stopped, if it was to', stopping, 'b1', 'stopped'],
    ['stopped, if it was to, also with its host', stopping, 'b2', 'stopped'],
    ['ended while its host shut down', leaving, 'b1', 'failed host_shut_down'],
    ['ended with its host while that shut down', leaving, 'b2', 'failed host_restarted'],
    [
      'ended as was decided',
      { ...running, end: { state: 'stopped' as const, by_guest: true, reason: null } },
      'b2',
      'stopped by guest',
    ],
  ])('%s', (_, record, boot, expected) => {
    expect(word({ do: 'end', end: endOf(record, boot, now) })).toBe(expected)
  })
})
