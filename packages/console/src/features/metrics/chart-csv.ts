import type { ChartData } from '#/ui/chart/chart.ts'

/** The numbers of a chart, one line for each moment, for spreadsheets. `unit` follows the name of each line. */
export function chartCsv({ times, series }: ChartData, unit: string): string {
  const head = ['Time', ...series.map(({ label }) => `${label} (${unit})`)]
  const lines = times.map((time, index) => [
    new Date(time * 1000).toISOString(),
    ...series.map(({ values }) => String(values[index] ?? '')),
  ])
  return [head, ...lines].map((cells) => cells.map(quoted).join(',')).join('\r\n')
}

/** A cell that a spreadsheet would read as a formula gets an apostrophe. */
function quoted(cell: string): string {
  const text = /^[=+@\t]|^-(?!\d)/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
