/** Colours of a chart, resolved for the canvas, which knows no variables. */
export interface ChartColors {
  series: readonly string[]
  fill: string
  grid: string
  axis: string
  base: string
  page: string
}

const seriesCount = 5

/** Reads the tokens that apply to `within`, in the current theme. */
export function chartColors(within: HTMLElement): ChartColors {
  const probe = document.createElement('span')
  within.append(probe)
  const resolve = (color: string): string => {
    probe.style.color = color
    return getComputedStyle(probe).color
  }
  const series = Array.from({ length: seriesCount }, (_, index) => resolve(`var(--chart-${index + 1})`))
  const colors = {
    series,
    fill: resolve('color-mix(in srgb, var(--chart-1) 10%, transparent)'),
    grid: resolve('var(--chart-grid)'),
    axis: resolve('var(--chart-axis)'),
    base: resolve('var(--line-control)'),
    page: resolve('var(--surface-page)'),
  }
  probe.remove()
  return colors
}

/** Runs when the user or the system changes the theme. */
export function onThemeChange(run: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(run)
  query.addEventListener('change', run)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    query.removeEventListener('change', run)
    observer.disconnect()
  }
}
