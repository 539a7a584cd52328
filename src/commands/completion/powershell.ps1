# Completion of kubectl-unstick in PowerShell:
#   kubectl-unstick completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'kubectl-unstick' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = $commandAst.CommandElements
    $words = @($elements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.ToString() })
    if (-not $wordToComplete) {
        # Before 7.3 an empty argument is dropped on its way to a program.
        $words += if ($PSVersionTable.PSVersion -lt [version]'7.3.0') { '""' } else { '' }
    }
    $prefix = if ($wordToComplete -match '^-.*=') { $Matches[0] } else { '' }
    & $elements[0].ToString() __complete @words 2>$null | Where-Object { $_ -and $_ -notmatch '^:\d+$' } | ForEach-Object {
        $name, $text = $_ -split "`t", 2
        if (-not $text) { $text = $name }
        [System.Management.Automation.CompletionResult]::new("$prefix$name", $name, 'ParameterValue', $text)
    }
}
