// SPDX-License-Identifier: BSD-3-Clause
// Errors of macros that Groovy runs are exceptions in the script, also of a macro that another macro runs.
// expect: EngineException Drua_gaussianBlur: source: there is no image 'nothing',
// expect: EngineException there is no command Ext.Drua_gausianBlur;
// expect: EngineException Drua_gaussianBlur: source: there is no image 'nothing',
// expect: 1 and 3
import ij.IJ

def START = 'Ext.install("drua.StartMacroExtensions");\n'
def WRONG = 'Ext.Drua_gaussianBlur("nothing", b, 2, 2, 0);'

def mistake = { int length, Closure call ->
    try {
        println "no exception, but ${call()}"
    } catch (RuntimeException e) {
        println "${e.class.simpleName} ${e.message.take(length).trim()}"
    }
}

mistake(56) { IJ.runMacro(START + WRONG) }
mistake(42) { IJ.runMacro(START + 'Ext.Drua_gausianBlur("nothing", b, 2, 2, 0);') }
mistake(56) { IJ.runMacro("eval('" + START.trim() + WRONG + "'); print('the macro went on');") }
println "${IJ.runMacro('return "1";')} and ${IJ.runMacro(START + 'return "3";')}"
